import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Changes the named fields of one of a user's workouts, and no others ([CA-12]).
  ///
  /// - Parameter revision: that of the workout as the user knows it; `nil` for any.
  /// - Throws: ``UnknownExercises``.
  package func updateWorkout(
    _ id: WorkoutID, _ draft: WorkoutDraft, of owner: UserID, expecting revision: Int64?, _ tx: Transaction
  ) async throws -> Whole {
    try await edit(id, of: owner, expecting: revision, naming: draft.exercises, tx) { plan in
      try draft.apply(to: &plan) { newEntryID() }
    }
  }
}
