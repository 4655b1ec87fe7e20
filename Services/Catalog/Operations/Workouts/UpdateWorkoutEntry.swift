import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Changes the named fields of an entry of one of a user's workouts, and no others ([CA-12]).
  ///
  /// - Parameter revision: that of the workout as the user knows it; `nil` for any.
  /// - Throws: ``UnknownExercises``.
  package func updateWorkoutEntry(
    _ entry: UUID7, _ draft: EntryDraft, in id: WorkoutID, of owner: UserID, expecting revision: Int64?,
    _ tx: Transaction
  ) async throws -> Whole {
    let named = draft.exercise.map { [$0] } ?? []
    return try await edit(id, of: owner, expecting: revision, naming: named, tx) { plan in
      guard var changed = plan.entries.first(where: { $0.id == entry }) else { throw WorkoutPlan.Refusal.noSuchEntry }
      try draft.apply(to: &changed)
      try plan.change(entry) { $0 = changed }
    }
  }
}
