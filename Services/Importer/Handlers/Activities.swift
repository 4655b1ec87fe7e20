import Cryptography
import Environment
import Events
import Idempotency
import ImporterDomain
import ImporterStore
import LinkMisses
import Logging
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
  let store: ActivityStore
  let zones: TimeZones
  let events: Outbox
  let files: FileReading
  let endings: FileImportEndings
  let logger: Logger
  let misses: LinkMissCounter

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - store: where activities are stored; whatever stores them shares it.
  ///   - files: reads uploaded files.
  ///   - endings: stores how cancelled uploads ended; it runs beside the service.
  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, store: ActivityStore,
    files: FileReading, endings: FileImportEndings, logger: Logger
  ) {
    (self.files, self.endings) = (files, endings)
    self.database = database
    self.environment = environment
    self.events = events
    self.logger = logger
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    zones = TimeZones(database: database)
    misses = LinkMissCounter(database: database, clock: environment.clock)
    self.store = store
  }
}
