import Cryptography
import Environment
import Idempotency
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Live
import Pagination
import Postgres
import ProviderAdapters
import StreamPlaces
import TTRPC
import TandemImporter

// The contract has types of the same names; in this module the names mean the domain's.
typealias ImportState = ImporterDomain.ImportState
typealias ImportFailure = ImporterDomain.ImportFailure
typealias DataKind = ProviderAdapters.DataKind

/// Connections to trackers, and imports from them; each method is in its own file.
package struct Trackers: TrackersService {
  let database: Database
  let environment: Environment
  let operations: TrackerOperations
  let redirectURIs: [String]
  let live: any LiveBus
  let idempotency: IdempotencyStore
  let pages: Pages
  let underWay = CompletionsUnderWay()
  /// A user has a few devices, each of which looks at an import or two.
  let watchPlaces = StreamPlaces(limit: 16, refusal: Status.tooManyStreams)

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - redirectURIs: where providers may send browsers back to, the default first.
  package init(
    database: Database, environment: Environment, seal: Seal, operations: TrackerOperations, live: any LiveBus,
    redirectURIs: [String]
  ) {
    (self.database, self.environment, self.operations) = (database, environment, operations)
    (self.live, self.redirectURIs) = (live, redirectURIs)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
  }

  /// The methods for operators.
  package var operators: TrackerOperators { TrackerOperators(self) }
}
