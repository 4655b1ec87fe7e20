import AccountDeletions
import ArgumentParser
import Blocks
import CatalogBackground
import CatalogConsumers
import CatalogHandlers
import CatalogOperations
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

  static let commands: [any ParsableCommand.Type] = [LoadCommand.self, RemoveCommand.self]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil)
  }

  /// - Parameter authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  static func build(_ runtime: Runtime, authenticator: (any Authenticator)?) throws -> ServedService {
    expectData(runtime)
    let (database, environment, logger) = (runtime.database, runtime.environment, runtime.logger)
    let lending = runtime.peer("lending")
    let termStatistics = TermStatistics(database: database)
    let operations = BookOperations(
      database: database, environment: environment, events: runtime.events, jobs: runtime.jobs, lending: lending,
      termStatistics: termStatistics)
    let seal = runtime.settings[SealSettings.key].seal
    let turns = SearchTurns()
    let books = Books(
      operations: operations, database: database, environment: environment, seal: seal, turns: turns,
      uploads: try PictureSettings.uploads(runtime))
    let exercises = Exercises(
      operations: ExerciseOperations(database: database), database: database, environment: environment, seal: seal,
      turns: turns)
    let workouts = Workouts(
      operations: WorkoutOperations(database: database, environment: environment, events: runtime.events),
      database: database, environment: environment, seal: seal, turns: turns)
    let gyms = Gyms(
      operations: GymOperations(database: database, lending: lending), database: database,
      environment: environment, seal: seal, turns: turns)
    return ServedService(
      services: [books, exercises, workouts, gyms],
      background: [
        ExpirySweep(of: CatalogSchema.expiries, database: database, clock: environment.clock, logger: logger),
        TermStatisticsReading(termStatistics, logger: logger), TitleKeyBackfill(database: database, logger: logger),
        SearchFolding(database: database, logger: logger), Erasures.ofCatalog(in: database, logger: logger),
      ],
      follows: [.users, .blocks(), .loans(operations, environment), .pastLoans(operations), .checkIns],
      jobs: [
        BookDeletions(operations: operations, database: database).handler,
        RecommendationRebuild(database: database, logger: logger).job,
      ],
      authenticator: authenticator,
      descriptors: { [TandemCatalog.FileDescriptors.serialized] })
  }
}
