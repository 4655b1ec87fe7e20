import AccountDeletions
import ArgumentParser
import Blocks
import CatalogConsumers
import CatalogHandlers
import CatalogStore
import Events
import Expiry
import Idempotency
import Identifiers
import PictureSettings
import Pictures
import ServiceRuntime
import TTRPC
import TandemCatalog

/// The `catalog` executable: gyms, exercises, workouts, users' books and bibliographic records.
@main
struct Catalog: TandemService {
  static let service = ServiceDescription(
    name: "catalog", purpose: "Gyms, exercises, workouts and books",
    migrations: CatalogSchema.migrations, settings: [SealSettings.key.description] + PictureSettings.all)

  static let commands: [any ParsableCommand.Type] = [LoadCommand.self, RemoveCommand.self, EvaluateCommand.self]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil)
  }

  /// - Parameter authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  static func build(_ runtime: Runtime, authenticator: (any Authenticator)?) throws -> ServedService {
    expectData(runtime)
    let termStatistics = TermStatistics(database: runtime.database, logger: runtime.logger)
    let lending = runtime.peer("lending")
    let deletions = Deletions(
      database: runtime.database, events: runtime.events, jobs: runtime.jobs, lending: lending)
    let seal = runtime.settings[SealSettings.key].seal
    let turns = SearchTurns()
    let books = Books(
      database: runtime.database, environment: runtime.environment, seal: seal, events: runtime.events,
      termStatistics: termStatistics, turns: turns,
      uploads: try PictureSettings.uploads(runtime), deletions: deletions, jobs: runtime.jobs,
      lending: lending)
    let exercises = Exercises(database: runtime.database, environment: runtime.environment, seal: seal, turns: turns)
    let workouts = Workouts(
      database: runtime.database, environment: runtime.environment, seal: seal, events: runtime.events, turns: turns)
    let gyms = Gyms(
      database: runtime.database, environment: runtime.environment, seal: seal, turns: turns, lending: lending)
    return ServedService(
      services: [books, exercises, workouts, gyms],
      background: [
        ExpirySweep(
          of: CatalogSchema.expiries, database: runtime.database, clock: runtime.environment.clock,
          logger: runtime.logger),
        termStatistics, TitleKeyBackfill(database: runtime.database, logger: runtime.logger),
        SearchFolding(database: runtime.database, logger: runtime.logger),
        Erasures.ofCatalog(in: runtime.database, logger: runtime.logger),
      ],
      follows: [
        .users, .blocks(), .loans(runtime.environment),
        .pastLoans(runtime.jobs), .checkIns,
      ],
      jobs: [
        deletions.completion, RecommendationRebuild(database: runtime.database, logger: runtime.logger).job,
      ],
      authenticator: authenticator,
      descriptors: { [TandemCatalog.FileDescriptors.serialized] })
  }
}
