import Cryptography
import Environment
import Idempotency
import ImporterDomain
import ImporterOperations
import LinkMisses
import Pagination
import Postgres
import TTRPC
import TandemImporter

// The contract has types of the same names; in this module the names mean the domain's.
typealias Sport = ImporterDomain.Sport
typealias TrackPoint = ImporterDomain.TrackPoint
typealias Split = ImporterDomain.Split

/// What users did, brought in from providers and files; each method is in its own file.
package struct Activities: ActivitiesService {
  let database: Database
  let environment: Environment
  let pages: Pages
  let idempotency: IdempotencyStore
  let operations: ActivityOperations
  let files: FileImports
  let zones: TimeZones
  let misses: LinkMissCounter

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - operations: whatever else changes users' records shares it.
  package init(
    database: Database, environment: Environment, seal: Seal, operations: ActivityOperations, files: FileImports,
    zones: TimeZones
  ) {
    (self.database, self.environment) = (database, environment)
    (self.operations, self.files, self.zones) = (operations, files, zones)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    misses = LinkMissCounter(database: database, clock: environment.clock)
  }
}
