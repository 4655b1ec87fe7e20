import Blocks
import Events
import Expiry
import MatchingConsumers
import MatchingHandlers
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
    let transitions = SessionTransitions(events: runtime.events, jobs: runtime.jobs)
    let cleanup = SessionCleanup(transitions: transitions)
    let sessions = Sessions(
      database: database, environment: environment, seal: seal, transitions: transitions, jobs: runtime.jobs,
      identity: identity, catalog: catalog, logger: runtime.logger)
    return ServedService(
      services: [
        sessions, Bars(database: database, environment: environment, seal: seal),
        Partners(
          database: database, environment: environment, seal: seal, identity: identity, logger: runtime.logger),
        Calendars(database: database, environment: environment, seal: seal),
        WaitingLists(
          database: database, environment: environment, seal: seal, transitions: transitions, identity: identity,
          logger: runtime.logger),
        SavedSearches(
          database: database, environment: environment, seal: seal, identity: identity, logger: runtime.logger),
        Repetitions(database: database, environment: environment, seal: seal, jobs: runtime.jobs),
      ],
      background: [
        HeartbeatService(
          database: database, identity: identity, clock: environment.clock, logger: runtime.logger),
        ExpirySweep(
          of: MatchingSchema.expiries, database: database, clock: environment.clock, logger: runtime.logger),
      ],
      follows: [.users(cleanup), .blocks(cleanup)],
      jobs: cleanup.handlers + transitions.offers.handlers + transitions.searches.handlers
        + WeeklyPosts(transitions: transitions).handlers + [
          SessionJudgement(transitions: transitions).handler, SessionReminders(transitions: transitions).handler,
          SessionEnds(transitions: transitions).handler,
        ],
      authenticator: authenticator, descriptors: { [TandemMatching.FileDescriptors.serialized] })
  }
}
