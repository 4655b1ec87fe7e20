import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Adds an exercise to one of a user's workouts ([CA-12]).
  ///
  /// - Parameters:
  ///   - draft: has all fields.
  ///   - position: of the entry that it is inserted before, from 0; `nil` for the end.
  ///   - revision: that of the workout as the user knows it; `nil` for any.
  /// - Throws: ``UnknownExercises``.
  package func addWorkoutEntry(
    _ draft: EntryDraft, at position: Int?, to id: WorkoutID, of owner: UserID, expecting revision: Int64?,
    _ tx: Transaction
  ) async throws -> Whole {
    guard let entry = draft.entry(newEntryID()) else {
      preconditionFailure("a field that is missing was not noted")
    }
    return try await edit(id, of: owner, expecting: revision, naming: [ExerciseID(entry.exercise)], tx) { plan in
      try plan.insert(entry, at: position)
    }
  }
}
