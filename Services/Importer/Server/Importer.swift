import AccountDeletions
import Events
import Expiry
import Idempotency
import ImporterHandlers
import ImporterStore
import ImporterTrackers
import LoopExecutor
import OAuth2
import OutboundHTTP
import ServiceRuntime
import TTRPC
import TandemImporter

/// The `importer` executable: fitness trackers, and what users did.
@main
struct Importer: TandemService {
  static let service = ServiceDescription(
    name: ImporterSchema.name, purpose: "Brings fitness trackers in: connections, imports and activities",
    migrations: ImporterSchema.migrations, settings: ImporterSettings.all + FileSettings.all + StorageSettings.all,
    metrics: TrackerMetrics.descriptions)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil)
  }

  /// - Parameter authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  static func build(_ runtime: Runtime, authenticator: (any Authenticator)?) throws -> ServedService {
    let endings = FileImportEndings(database: runtime.database, logger: runtime.logger)
    let store = ActivityStore(
      environment: runtime.environment, events: runtime.events, work: HeavyWork(workers: LoopGroup.usableCores),
      quota: StorageSettings.quota(runtime.settings))
    let activities = Activities(
      database: runtime.database, environment: runtime.environment, seal: runtime.settings[SealSettings.key].seal,
      events: runtime.events, store: store, files: try FileSettings.reading(runtime), endings: endings,
      logger: runtime.logger)
    let outbound = try ImporterSettings.providerClient(
      runtime.settings, on: runtime.loops.eventLoops, clock: runtime.environment.clock)
    let trackers = try Self.trackers(runtime, storing: store, through: outbound)
    let hasProviders = runtime.settings[ImporterSettings.trackers] != nil
    runtime.readiness.expect(
      Lack(
        "providers of trackers", "no tracker can be connected; files can be imported",
        cure: "TANDEM_IMPORTER_TRACKERS=FILE; trackers.md of the handbook tells what is in it")
    ) { hasProviders }
    for provider in trackers.providerIDs {
      runtime.readiness.expect(
        Lack(
          "answers from \(provider)", "imports from it wait until it answers",
          cure: "nothing is to be done here: it is asked again by itself (see trackers.md of the handbook)")
      ) { try await trackers.isAnswering(provider) }
    }
    let sweep = ExpirySweep(
      of: [
        DeleteExpiredIdempotencyKeys.self, DeleteExpiredAttempts.self, DeleteOldCompletions.self, DeleteOldImports.self,
        DeleteOldFileImports.self, ForgetOldLeftConsents.self, DeleteOldWebhookCalls.self,
        ForgetDeletedUsers.self, DropOldChangedActivities.self, DropOldStagedReports.self,
      ], database: runtime.database, clock: runtime.environment.clock,
      logger: runtime.logger)
    return ServedService(
      services: [activities, trackers, trackers.operators],
      background: [
        sweep, outbound, endings, Erasures.ofRecords(in: runtime.database, logger: runtime.logger),
      ] + trackers.background,
      follows: [.accountDeletions(ImporterSchema.removals)],
      jobs: trackers.jobHandlers, authenticator: authenticator,
      descriptors: { [TandemImporter.FileDescriptors.serialized] })
  }

  private static func trackers(
    _ runtime: Runtime, storing store: ActivityStore, through outbound: OutboundClient
  ) throws(StartupError) -> Trackers {
    let settings = runtime.settings
    return Trackers(
      TrackerParts(
        database: runtime.database, environment: runtime.environment, seal: settings[SealSettings.key].seal,
        events: runtime.events, store: store, jobs: runtime.jobs, live: runtime.live, outbound: outbound,
        providers: try ImporterSettings.providers(settings),
        redirectURIs: settings[ImporterSettings.trackerRedirectURIs],
        syncInterval: settings[ImporterSettings.trackerSyncInterval],
        upkeepInterval: settings[ImporterSettings.trackerUpkeepInterval], logger: runtime.logger))
  }
}
