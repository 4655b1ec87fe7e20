import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Deletes one of a user's workouts, with its links ([CA-12]).
  ///
  /// - Parameter revision: that of the workout as the user knows it; `nil` for any.
  /// - Returns: the time of deletion.
  package func deleteWorkout(
    _ id: WorkoutID, of owner: UserID, expecting revision: Int64?, _ tx: Transaction
  ) async throws -> Instant {
    let change = try await nextChange(.keeps, by: owner, tx)
    _ = try await ownWorkout(id, of: owner, expecting: revision, tx)
    let now = environment.clock.now
    try await tx.execute(MarkWorkoutDeleted(now: now, change: change, workoutID: id))
    return now
  }
}
