import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Creates a workout of a user, from muscle groups, from exercises or from both ([CA-12]).
  ///
  /// - Parameters:
  ///   - draft: has all fields.
  ///   - count: how many exercises are suggested.
  /// - Throws: ``UnknownExercises``.
  package func createWorkout(
    _ draft: WorkoutDraft, suggesting count: Int, for owner: UserID, _ tx: Transaction
  ) async throws -> Whole {
    guard var plan = try draft.plan({ newEntryID() }) else {
      preconditionFailure("a field that is missing was not noted")
    }
    let known = try await exercises(naming: draft.exercises, tx)
    if plan.muscleGroups.isEmpty {
      let groups = Set(known.values.flatMap(\.groups))
      plan.muscleGroups = MuscleGroup.allCases.filter(groups.contains)
    }
    for exercise in try await suggestions(count, for: plan, tx) {
      try plan.insert(PlannedEntry(newEntryID(), exercise.uuid, .suggested), at: nil)
    }
    return try await add(plan, to: owner, tx)
  }

  /// Exercises for those muscle groups of a plan that its entries do not train.
  private func suggestions(_ count: Int, for plan: WorkoutPlan, _ tx: Transaction) async throws -> [ExerciseID] {
    guard count > 0 else { return [] }
    let had = Set(plan.entries.map { ExerciseID($0.exercise) })
    // More by the number of entries, as those may be among the suggestions.
    let found = try await tx.rows(SuggestedExercises(groups: plan.muscleGroups, count: Int64(count + had.count)))
    var seen = had
    return Array(found.filter { seen.insert($0).inserted }.prefix(count))
  }
}
