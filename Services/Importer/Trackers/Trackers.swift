import Cryptography
import Environment
import Events
import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Live
import Logging
import OutboundHTTP
import OAuth2
import Pagination
import Postgres
import ProviderAdapters
import ServiceLifecycle
import StreamPlaces
import TTRPC
import TandemImporter

// The contract has types of the same names; in this module the names mean the domain's.
typealias ImportState = ImporterDomain.ImportState
typealias ImportFailure = ImporterDomain.ImportFailure
typealias DataKind = ProviderAdapters.DataKind

/// What the parts of imports from trackers are made from.
package struct TrackerParts: Sendable {
  package var database: Database
  package var environment: Environment
  package var seal: Seal
  package var events: Outbox
  package var store: ActivityStore
  package var jobs: Jobs
  package var live: any LiveBus
  package var outbound: OutboundClient
  package var providers: [ConfiguredProvider]
  /// Where providers may send browsers back to, the default first.
  package var redirectURIs: [String]
  /// Between two imports of a connected tracker.
  package var syncInterval: Duration
  /// Between two looks of the upkeep.
  package var upkeepInterval: Duration
  package var logger: Logger

  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, store: ActivityStore, jobs: Jobs,
    live: any LiveBus, outbound: OutboundClient, providers: [ConfiguredProvider], redirectURIs: [String],
    syncInterval: Duration,
    upkeepInterval: Duration, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.seal = seal
    self.events = events
    self.store = store
    self.jobs = jobs
    self.live = live
    self.outbound = outbound
    self.providers = providers
    self.redirectURIs = redirectURIs
    self.syncInterval = syncInterval
    self.upkeepInterval = upkeepInterval
    self.logger = logger
  }
}

/// Connections to trackers, and imports from them; each method is in its own file.
package struct Trackers: TrackersService {
  let database: Database
  let environment: Environment
  let providers: [ConfiguredProvider]
  let redirectURIs: [String]
  let jobs: Jobs
  let live: any LiveBus
  let attempts: AuthorizationAttempts
  let idempotency: IdempotencyStore
  let pages: Pages
  let imports: Imports
  let tokens: TokenKeeper
  let client: ProviderClient
  let logger: Logger
  let upkeep: TrackerUpkeep
  let underWay = CompletionsUnderWay()
  /// A user has a few devices, each of which looks at an import or two.
  let watchPlaces = StreamPlaces(limit: 16, refusal: Status.tooManyStreams)
  private let runner: ImportRunner

  package init(_ parts: TrackerParts) {
    let (database, environment) = (parts.database, parts.environment)
    (self.database, self.environment) = (database, environment)
    (providers, redirectURIs) = (parts.providers, parts.redirectURIs)
    (jobs, live, logger) = (parts.jobs, parts.live, parts.logger)
    attempts = AuthorizationAttempts(database: database, seal: parts.seal, environment: environment)
    idempotency = IdempotencyStore(database: database, seal: parts.seal, clock: environment.clock)
    pages = Pages(seal: parts.seal, clock: environment.clock)
    imports = Imports(
      environment: environment, events: parts.events, store: parts.store, jobs: parts.jobs, live: parts.live,
      syncInterval: parts.syncInterval)
    tokens = TokenKeeper(
      database: database, environment: environment, seal: parts.seal, outbound: parts.outbound,
      providers: parts.providers, logger: parts.logger)
    client = ProviderClient(outbound: parts.outbound)
    let metrics = TrackerMetrics()
    let revocations = Revocations(
      database: database, environment: environment, events: parts.events, providers: parts.providers, tokens: tokens,
      client: client, logger: parts.logger)
    upkeep = TrackerUpkeep(
      database: database, environment: environment, jobs: parts.jobs, providers: parts.providers, imports: imports,
      revocations: revocations, metrics: metrics, interval: parts.upkeepInterval, logger: parts.logger)
    runner = ImportRunner(
      database: database, environment: environment, providers: parts.providers, imports: imports, tokens: tokens,
      client: client, store: parts.store,
      breakers: ProviderBreakers(
        database: database, environment: environment, metrics: metrics, logger: parts.logger), metrics: metrics,
      logger: parts.logger)
  }

  /// The handlers of the jobs of trackers.
  package var jobHandlers: [JobHandler] { runner.handlers + upkeep.handlers }

  /// The parts that run as long as the service.
  package var background: [any Service] { [upkeep] }

  /// The methods for operators.
  package var operators: TrackerOperators { TrackerOperators(self) }

  func provider(_ id: String) throws(Status) -> ConfiguredProvider {
    guard let provider = providers.first(where: { $0.id == id }) else { throw .noSuchTracker }
    return provider
  }

  /// The ids of the providers that users can connect.
  package var providerIDs: [String] { providers.map(\.id) }

  /// Whether imports ask a provider: not while it does not answer (``ProviderBreaker``).
  package func isAnswering(_ provider: String) async throws -> Bool {
    try await database.first(ProviderState(provider: provider))?.openUntil == nil
  }

  /// Refuses what operators have paused.
  func expectOpen(_ provider: ConfiguredProvider) async throws {
    guard try await database.first(ProviderState(provider: provider.id))?.paused != true else {
      throw Status.trackerUnavailable(after: .seconds(600))
    }
  }
}
