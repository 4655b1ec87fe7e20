import Environment
import CatalogDomain
import CatalogStore
import Cryptography
import Events
import FieldViolations
import Idempotency
import Identifiers
import LinkMisses
import Pagination
import Postgres
import TTRPC
import TandemCatalog

/// Curated workouts, users' workouts and logs; each method is in its own file.
package struct Workouts: WorkoutsService {
  let database: Database
  let environment: Environment
  let pages: Pages
  let turns: SearchTurns
  let idempotency: IdempotencyStore
  let events: Outbox
  let misses: LinkMissCounter

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, events: Outbox, turns: SearchTurns) {
    self.turns = turns
    self.database = database
    self.environment = environment
    self.events = events
    misses = LinkMissCounter(database: database, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  @Sendable func newEntryID() -> UUID7 { environment.randomness.uuid7(at: environment.clock.now) }

  /// The number of the next change of the caller's workouts, for this transaction; locks the caller's row.
  func nextChange(_ effect: CountEffect, by user: UserID, _ tx: Transaction) async throws -> Int64 {
    try await tx.nextChange(NextWorkoutChange(userID: user, effect: effect), atLimit: .tooManyWorkouts)
  }

  /// One of the caller's workouts, with its entries; call it after ``nextChange(_:by:_:)``, whose lock keeps it unchanged.
  func ownWorkout(
    _ id: WorkoutID, of user: UserID, _ etag: String, _ tx: Transaction
  ) async throws -> (stored: StoredWorkout, entries: [EntriesOfWorkouts.Row]) {
    guard let stored = try await tx.first(WorkoutByID(workoutID: id, viewerID: user)) else {
      throw Status.noSuchWorkout
    }
    guard stored.ownerID == user else { throw Status.curatedWorkout }
    guard etag.isEmpty || etag == stored.etag else { throw Status.workoutChanged }
    return (stored, try await tx.rows(EntriesOfWorkouts(workoutIDs: [id])))
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

extension Status {
  static let noSuchWorkout = Status(CatalogReason.workoutNotFound, "There is no such workout")

  static let curatedWorkout = Status(
    CatalogReason.curatedWorkout, "A curated workout is everybody's; save it as a personal one first")

  static let tooManyWorkouts = Status(CatalogReason.tooManyWorkouts, "You have as many workouts as anybody can have")

  /// [C-11].
  static let workoutChanged = Status(
    CatalogReason.etagMismatch, "The workout was changed meanwhile; read it again and repeat the change")
}
