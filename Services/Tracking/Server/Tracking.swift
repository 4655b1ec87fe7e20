import AccountDeletions
import Blocks
import ChatConsumers
import Events
import Expiry
import Geography
import Idempotency
import Pagination
import ServiceRuntime
import StreamPlaces
import TTRPC
import TandemChat
import TandemTracking
import TrackingBackground
import TrackingConsumers
import TrackingHandlers
import TrackingOperations
import TrackingStore
import UserTokens

/// The `tracking` executable: live positions, journeys and SOS alerts shared with groups, and the chat.
@main
struct Tracking: TandemService {
  static let service = ServiceDescription(
    name: TrackingSchema.name, purpose: "Keeps an eye on each other's way home, and hosts the chat",
    migrations: TrackingSchema.migrations,
    settings: [
      SealSettings.key.description, TrackingSettings.lookInterval.description,
      TrackingSettings.arrivalRadius.description, TrackingSettings.watchQueue.description,
    ] + HostedChat.settings, metrics: StreamOpenings.metricDescriptions)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let tokens = try runtime.identityTokens()
    var served = try build(runtime, authenticator: tokens)
    served.background.insert(tokens, at: 0)
    return served
  }

  /// Transactions of reports that run at the same time: one is prepared while another commits.
  private static let ingestLanes = 2

  /// - Parameter authenticator: identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  static func build(_ runtime: Runtime, authenticator: any Authenticator) throws -> ServedService {
    let clock = runtime.environment.clock
    let streamTokens = StreamTokens(authenticator, logger: runtime.logger)
    let feeds = GroupFeeds(database: runtime.database, live: runtime.live, logger: runtime.logger)
    let partitions = Partitions(database: runtime.database)
    let operations = TrackerOperations(
      events: runtime.events, live: runtime.live, partitions: partitions, environment: runtime.environment,
      arrivalRadius: Metres(Double(runtime.settings[TrackingSettings.arrivalRadius])))
    let ingest = ReportIngest(lanes: Self.ingestLanes)
    let reports = ReportWorker(
      emptying: ingest, operations: operations, database: runtime.database, on: runtime.loops.executors)
    let watchkeeper = Watchkeeper(
      operations: operations, database: runtime.database, partitions: partitions, clock: clock, logger: runtime.logger,
      every: runtime.settings[TrackingSettings.lookInterval])
    let idempotency = IdempotencyStore(
      database: runtime.database, seal: runtime.settings[SealSettings.key].seal, clock: clock)
    let chat = try HostedChat(runtime, tokens: authenticator)
    return ServedService(
      services: [
        chat.methods,
        Locations(
          operations: operations, ingest: ingest, database: runtime.database, environment: runtime.environment,
          idempotency: idempotency, feeds: feeds, streamTokens: streamTokens,
          watchQueue: runtime.settings[TrackingSettings.watchQueue]),
        Journeys(
          operations: operations, database: runtime.database, environment: runtime.environment,
          idempotency: idempotency, streamTokens: streamTokens),
        JourneyShares(
          operations: operations, database: runtime.database, environment: runtime.environment,
          idempotency: idempotency),
        Places(
          operations: operations, database: runtime.database, idempotency: idempotency,
          pages: Pages(seal: runtime.settings[SealSettings.key].seal, clock: clock)),
      ],
      background: chat.services + [
        feeds, streamTokens, reports, watchkeeper,
        RetentionSweep(
          operations: operations, database: runtime.database, clock: clock, logger: runtime.logger,
          every: .seconds(6 * 3_600)),
        Erasures.ofTracking(in: runtime.database, logger: runtime.logger),
        ExpirySweep(
          of: [
            DeleteExpiredIdempotencyKeys.self, DeleteExpiredShares.self, DeleteGroups.self, DeleteOldNewsQuotas.self,
          ] + HostedChat.expiries,
          database: runtime.database, clock: clock,
          logger: runtime.logger),
      ],
      follows: [
        .users(operations), .blocks(operations).closingConversations(chat.operations),
        .groups(operations).keepingConversations(chat.operations),
      ], authenticator: authenticator,
      descriptors: { [TandemTracking.FileDescriptors.serialized, TandemChat.FileDescriptors.serialized] })
  }
}
