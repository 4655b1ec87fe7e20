import Cryptography
import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Live
import Logging
import OAuth2
import OutboundHTTP
import Postgres
import ProviderAdapters

/// What operations on trackers are made from.
package struct TrackerParts: Sendable {
  package var database: Database
  package var environment: Environment
  package var seal: Seal
  package var events: Outbox
  package var activities: ActivityOperations
  package var jobs: Jobs
  package var live: any LiveBus
  package var outbound: OutboundClient
  package var providers: [ConfiguredProvider]
  /// Between two imports of a connected tracker.
  package var syncInterval: Duration
  package var logger: Logger

  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, activities: ActivityOperations,
    jobs: Jobs, live: any LiveBus, outbound: OutboundClient, providers: [ConfiguredProvider], syncInterval: Duration,
    logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.seal = seal
    self.events = events
    self.activities = activities
    self.jobs = jobs
    self.live = live
    self.outbound = outbound
    self.providers = providers
    self.syncInterval = syncInterval
    self.logger = logger
  }
}

/// What the importer does with trackers: connections, and imports from them. One use case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, publishes it and schedules what follows. It takes the transaction of
/// its caller, a call, a webhook or a job, and begins none. One without a transaction only reads, or asks a provider, which no transaction
/// may wait for, and keeps what that answered, and whether it did.
package struct TrackerOperations: Sendable {
  let database: Database
  let environment: Environment
  package let providers: [ConfiguredProvider]
  package let activities: ActivityOperations
  let jobs: Jobs
  package let imports: ImportTransitions
  let attempts: AuthorizationAttempts
  let tokens: TokenKeeper
  let client: ProviderClient
  package let revocations: Revocations
  package let breakers: ProviderBreakers
  package let metrics: TrackerMetrics
  let logger: Logger

  package init(_ parts: TrackerParts) {
    let (database, environment) = (parts.database, parts.environment)
    (self.database, self.environment, providers) = (database, environment, parts.providers)
    (activities, jobs, logger) = (parts.activities, parts.jobs, parts.logger)
    imports = ImportTransitions(
      environment: environment, events: parts.events, jobs: parts.jobs, live: parts.live,
      syncInterval: parts.syncInterval)
    attempts = AuthorizationAttempts(database: database, seal: parts.seal, environment: environment)
    tokens = TokenKeeper(
      database: database, environment: environment, seal: parts.seal, outbound: parts.outbound,
      providers: parts.providers, logger: parts.logger)
    client = ProviderClient(outbound: parts.outbound)
    revocations = Revocations(
      database: database, environment: environment, events: parts.events, providers: parts.providers, tokens: tokens,
      client: client, logger: parts.logger)
    metrics = TrackerMetrics()
    breakers = ProviderBreakers(
      database: database, environment: environment, metrics: metrics, logger: parts.logger)
  }

  /// - Throws: `TrackerRefusal.noSuchTracker`.
  package func provider(_ id: String) throws(TrackerRefusal) -> ConfiguredProvider {
    guard let provider = providers.first(where: { $0.id == id }) else { throw .noSuchTracker }
    return provider
  }

  /// Whether imports ask a provider: not while it does not answer (`ProviderBreaker`).
  package func isAnswering(_ provider: String) async throws -> Bool {
    try await database.first(ProviderState(provider: provider))?.openUntil == nil
  }

  /// Refuses what operators have paused.
  ///
  /// - Throws: `TrackerRefusal.unavailable`.
  package func requireOpen(_ provider: ConfiguredProvider) async throws {
    guard try await database.first(ProviderState(provider: provider.id))?.paused != true else {
      throw TrackerRefusal.unavailable(after: Self.pause)
    }
  }

  /// What operators have paused may be tried again after this.
  private static let pause: Duration = .seconds(600)

  /// A connection that is locked, and whose consent has not ended.
  ///
  /// - Throws: `TrackerRefusal`.
  func lockedConnection(of user: UserID, at provider: ConfiguredProvider, _ tx: Transaction) async throws
    -> ConnectionColumns
  {
    guard let found = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
      throw TrackerRefusal.notConnected
    }
    guard found.state == .connected else { throw TrackerRefusal.consentNeeded }
    return found
  }
}
