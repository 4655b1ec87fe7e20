import CatalogOperations
import Environment
import CatalogStore
import Cryptography
import FieldViolations
import Idempotency
import LinkMisses
import Pagination
import Postgres
import TTRPC
import TandemCatalog

/// Curated workouts, users' workouts and logs; each method is in its own file.
package struct Workouts: WorkoutsService {
  let operations: WorkoutOperations
  let database: Database
  let environment: Environment
  let pages: Pages
  let turns: SearchTurns
  let idempotency: IdempotencyStore
  let misses: LinkMissCounter

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(
    operations: WorkoutOperations, database: Database, environment: Environment, seal: Seal, turns: SearchTurns
  ) {
    self.operations = operations
    self.turns = turns
    self.database = database
    self.environment = environment
    misses = LinkMissCounter(database: database, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The workouts as messages, with their entries, which are read together.
  func shown(_ workouts: [StoredWorkout]) async throws -> [Workout] {
    guard !workouts.isEmpty else { return [] }
    let entries = try await database.rows(EntriesOfWorkouts(workoutIDs: workouts.map(\.id)))
    let byWorkout = Dictionary(grouping: entries, by: \.workoutID)
    return workouts.map { Workout($0, byWorkout[$0.id] ?? []) }
  }
}

extension Violations {
  /// Parses the id of a workout from the field of that name.
  mutating func workoutID(_ text: String, _ field: String = "workout_id") -> WorkoutID? {
    require(field, WorkoutID(text), "This is not the id of a workout", CatalogReason.workoutIDInvalid)
  }
}
