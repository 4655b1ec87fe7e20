import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

/// A workout that a user performed ([CA-14]).
package struct PerformedWorkout: Sendable {
  package let workout: WorkoutID?
  /// `nil` for the name of the workout.
  package let name: WorkoutName?
  package let note: WorkoutDescription?
  package let start: Instant
  package let end: Instant?
  package let sets: [(exercise: ExerciseID, performed: PerformedSet)]

  package init(
    of workout: WorkoutID?, named name: WorkoutName?, _ note: WorkoutDescription?, from start: Instant,
    to end: Instant?,
    _ sets: [(exercise: ExerciseID, performed: PerformedSet)]
  ) {
    (self.workout, self.name, self.note) = (workout, name, note)
    (self.start, self.end, self.sets) = (start, end, sets)
  }
}

extension WorkoutOperations {
  /// A log with its sets.
  package typealias WholeLog = (stored: StoredWorkoutLog, sets: [SetsOfLogs.Row])

  /// Stores a workout that a user performed ([CA-14]).
  ///
  /// - Throws: ``UnknownExercises``; `noSuchWorkout` for one that the user may not see, if the exercises are known.
  package func logWorkout(_ new: PerformedWorkout, of owner: UserID, _ tx: Transaction) async throws -> WholeLog {
    let named = new.sets.map(\.exercise)
    let change = try await countLog(of: owner, tx)
    var name = new.name?.text
    if let workout = new.workout {
      guard let found = try await tx.first(WorkoutByID(workoutID: workout, viewerID: owner)) else {
        throw try await missing(beside: named, tx)
      }
      name = name ?? found.name
    }
    let known = try await exercises(naming: named, tx)
    let sets = new.sets.compactMap { done in known[done.exercise].map { (exercise: $0.id, performed: done.performed) } }
    let insert = InsertWorkoutLog(
      logID: environment.newID(), ownerID: owner, workoutID: new.workout, name: name ?? "",
      note: new.note?.text ?? "", startedAt: new.start, endedAt: new.end, now: environment.clock.now, change: change)
    guard let stored = try await tx.first(insert) else { throw WorkoutRefusal.noSuchLog }
    try await tx.execute(InsertLoggedSets(logID: stored.id, ownerID: owner, sets))
    try await events.publish(
      WorkoutLogged(
        logID: stored.id.description, userID: owner.description, startTime: stored.startedAt.timestamp), in: tx)
    return (stored, try await tx.rows(SetsOfLogs(logIDs: [stored.id])))
  }

  /// The error for a workout that the user may not see: unknown exercises are named with it.
  private func missing(beside named: [ExerciseID], _ tx: Transaction) async throws -> any Error {
    do {
      _ = try await exercises(naming: named, tx)
      return WorkoutRefusal.noSuchWorkout
    } catch let unknown as UnknownExercises { return UnknownExercises(ids: unknown.ids, lacksWorkout: true) }
  }

  private func countLog(of owner: UserID, _ tx: Transaction) async throws -> Int64 {
    do {
      guard let change = try await tx.first(CountWorkoutLog(userID: owner)) else { throw CatalogFailure.noAccount }
      return change
    } catch let error as PostgresError where error.constraint == CountWorkoutLog.limitConstraint {
      throw WorkoutRefusal.tooManyLogs
    }
  }
}
