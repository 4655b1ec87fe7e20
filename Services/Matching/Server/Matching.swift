import Blocks
import Events
import Expiry
import Jobs
import MatchingBackground
import MatchingConsumers
import MatchingHandlers
import MatchingOperations
import MatchingStore
import ServiceRuntime
import TTRPC
import TandemMatching

/// The `matching` executable: training sessions and partners.
@main
struct Matching: TandemService {
  static let service = ServiceDescription(
    name: MatchingSchema.name, purpose: "Finds partners to train with: sessions, check-ins and feedback",
    migrations: MatchingSchema.migrations, settings: [SealSettings.key.description])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil, identity: runtime.peer("identity"), catalog: runtime.peer("catalog"))
  }

  /// - Parameters:
  ///   - authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  ///   - identity: asked about profiles.
  ///   - catalog: asked about gyms.
  static func build(
    _ runtime: Runtime, authenticator: (any Authenticator)?, identity: (any RPCChannel)?, catalog: (any RPCChannel)?
  ) throws -> ServedService {
    let (database, environment) = (runtime.database, runtime.environment)
    let seal = runtime.settings[SealSettings.key].seal
    let operations = SessionOperations(
      database: database, environment: environment, events: runtime.events, jobs: runtime.jobs, identity: identity,
      catalog: catalog, logger: runtime.logger)
    let partners = PartnerOperations(
      database: database, environment: environment, identity: identity, logger: runtime.logger)
    return ServedService(
      services: [
        Sessions(operations: operations, database: database, environment: environment, seal: seal),
        Bars(operations: operations, database: database, environment: environment, seal: seal),
        Partners(operations: partners, database: database, environment: environment, seal: seal),
        Calendars(operations: operations, database: database, environment: environment, seal: seal),
        WaitingLists(operations: operations, database: database, environment: environment, seal: seal),
        SavedSearches(operations: operations, database: database, environment: environment, seal: seal),
        Repetitions(operations: operations, database: database, environment: environment, seal: seal),
      ],
      background: [
        HeartbeatService(
          database: database, identity: identity, clock: environment.clock, logger: runtime.logger),
        ExpirySweep(
          of: MatchingSchema.expiries, database: database, clock: environment.clock, logger: runtime.logger),
      ],
      follows: [.users(operations), .blocks(operations)], jobs: handlers(operations, runtime.jobs),
      authenticator: authenticator, descriptors: { [TandemMatching.FileDescriptors.serialized] })
  }

  /// The handlers of matching's jobs.
  private static func handlers(_ operations: SessionOperations, _ jobs: Jobs) -> [JobHandler] {
    SessionCleanup(operations: operations, clock: jobs.environment.clock).handlers + [
      OfferEnds(operations: operations, jobs: jobs).handler, SearchNotices(operations: operations).handler,
      WeeklyPosts(operations: operations).handler, SessionJudgement(operations: operations, jobs: jobs).handler,
      SessionReminders(operations: operations, jobs: jobs).handler,
      SessionEnds(operations: operations, jobs: jobs).handler,
    ]
  }
}
