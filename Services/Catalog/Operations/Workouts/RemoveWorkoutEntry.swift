import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Removes an entry from one of a user's workouts ([CA-12]).
  ///
  /// - Parameter revision: that of the workout as the user knows it; `nil` for any.
  package func removeWorkoutEntry(
    _ entry: UUID7, from id: WorkoutID, of owner: UserID, expecting revision: Int64?, _ tx: Transaction
  ) async throws -> Whole {
    try await edit(id, of: owner, expecting: revision, tx) { plan in try plan.remove(entry) }
  }
}
