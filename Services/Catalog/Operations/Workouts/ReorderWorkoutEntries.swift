import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Changes the order of the entries of one of a user's workouts ([CA-12]).
  ///
  /// - Parameters:
  ///   - order: names each entry once.
  ///   - revision: that of the workout as the user knows it; `nil` for any.
  package func reorderWorkoutEntries(
    _ id: WorkoutID, by order: [UUID7], of owner: UserID, expecting revision: Int64?, _ tx: Transaction
  ) async throws -> Whole {
    try await edit(id, of: owner, expecting: revision, tx) { plan in try plan.reorder(order) }
  }
}
