import CatalogOperations
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog

extension Workouts {
  /// Creates a workout of the caller, from muscle groups, from exercises or from both ([CA-12]).
  package func createWorkout(_ call: CreateWorkoutRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    var bad = Violations()
    let new = NewWorkout(call, &bad)
    try await addUnknown(new.named, to: &bad)
    try bad.check()
    let execution = IdempotencyStore.Execution(validateOnly: call.validateOnly)
    return try await idempotency.execute(call, context.requestKey(new.requestID), execution) { tx in
      try await naming(new.named) {
        Workout(try await operations.createWorkout(new.draft, suggesting: new.suggestions, for: owner, tx))
      }
    }
  }
}

/// The parsed request.
private struct NewWorkout {
  private static let suggestionsRange: ClosedRange<Int32> = 0...20

  let draft: WorkoutDraft
  let named: [NamedExercise]
  let suggestions: Int
  let requestID: UUID7?

  init(_ call: CreateWorkoutRequest, _ bad: inout Violations) {
    let workout = call.workout ?? Workout()
    requestID = bad.requestID(call.requestID)
    draft = WorkoutDraft(Set(WorkoutDraft.Field.allCases), of: workout, &bad)
    if workout.muscleGroups.isEmpty, workout.entries.isEmpty {
      bad.add("workout.muscle_groups", "Muscle groups or exercises are needed", CatalogReason.muscleGroupsRequired)
    }
    if !Self.suggestionsRange.contains(call.suggestedExercises) {
      bad.add("suggested_exercises", "There are 0 to 20 suggestions", CatalogReason.suggestionsInvalid)
    }
    named = draft.namedExercises
    suggestions = Int(call.suggestedExercises)
  }
}
