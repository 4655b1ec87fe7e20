import AccountDeletions
import Events
import Expiry
import Idempotency
import ImporterBackground
import ImporterHandlers
import ImporterOperations
import ImporterStore
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
    let operations = ActivityOperations(
      environment: runtime.environment, events: runtime.events, work: HeavyWork(workers: LoopGroup.usableCores),
      quota: StorageSettings.quota(runtime.settings))
    let outbound = try ImporterSettings.providerClient(
      runtime.settings, on: runtime.loops.eventLoops, clock: runtime.environment.clock)
    let tracking = try Self.trackerOperations(runtime, storing: operations, through: outbound)
    let trackers = Trackers(
      database: runtime.database, environment: runtime.environment, seal: runtime.settings[SealSettings.key].seal,
      operations: tracking, live: runtime.live, redirectURIs: runtime.settings[ImporterSettings.trackerRedirectURIs])
    let upkeep = TrackerUpkeep(
      tracking, database: runtime.database, environment: runtime.environment, jobs: runtime.jobs,
      interval: runtime.settings[ImporterSettings.trackerUpkeepInterval], logger: runtime.logger)
    let runner = ImportRunner(
      tracking, database: runtime.database, environment: runtime.environment, logger: runtime.logger)
    let endings = FileImportEndings(logger: runtime.logger)
    let zones = TimeZones(database: runtime.database)
    let activities = Activities(
      database: runtime.database, environment: runtime.environment, seal: runtime.settings[SealSettings.key].seal,
      operations: operations,
      files: FileImports(
        database: runtime.database, environment: runtime.environment, events: runtime.events, activities: operations,
        reading: try FileSettings.reading(runtime), zones: zones, endings: endings), zones: zones)
    let hasProviders = runtime.settings[ImporterSettings.trackers] != nil
    runtime.readiness.expect(
      Lack(
        "providers of trackers", "no tracker can be connected; files can be imported",
        cure: "TANDEM_IMPORTER_TRACKERS=FILE; trackers.md of the handbook tells what is in it")
    ) { hasProviders }
    for provider in tracking.providers.map(\.id) {
      runtime.readiness.expect(
        Lack(
          "answers from \(provider)", "imports from it wait until it answers",
          cure: "nothing is to be done here: it is asked again by itself (see trackers.md of the handbook)")
      ) { try await tracking.isAnswering(provider) }
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
        sweep, outbound, FileImportEnder(endings, database: runtime.database, logger: runtime.logger),
        Erasures.ofRecords(in: runtime.database, logger: runtime.logger), upkeep,
      ],
      follows: [.accountDeletions(ImporterSchema.removals)],
      jobs: runner.handlers + upkeep.handlers, authenticator: authenticator,
      descriptors: { [TandemImporter.FileDescriptors.serialized] })
  }

  private static func trackerOperations(
    _ runtime: Runtime, storing activities: ActivityOperations, through outbound: OutboundClient
  ) throws(StartupError) -> TrackerOperations {
    let settings = runtime.settings
    return TrackerOperations(
      TrackerParts(
        database: runtime.database, environment: runtime.environment, seal: settings[SealSettings.key].seal,
        events: runtime.events, activities: activities, jobs: runtime.jobs, live: runtime.live, outbound: outbound,
        providers: try ImporterSettings.providers(settings),
        syncInterval: settings[ImporterSettings.trackerSyncInterval], logger: runtime.logger))
  }
}
