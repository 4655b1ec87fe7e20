import CatalogOperations
import FieldMasks
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Changes the fields in the mask of one of the caller's workouts, and no others ([CA-12]).
  package func updateWorkout(_ call: UpdateWorkoutRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    let new = call.workout ?? Workout()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let workoutID = bad.workoutID(new.workoutID, "workout.workout_id")
    let immutable: Set<String> = ["workout_id", "curated", "level", "etag", "create_time", "update_time"]
    let named = bad.fields(named: call.updateMask, immutable: immutable, otherwise: Set(new.fieldsWithValues))
    let draft = WorkoutDraft(named, of: new, &bad)
    let exercises = draft.namedExercises
    try await addUnknown(exercises, to: &bad)
    let id = try bad.all(workoutID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await naming(exercises) {
        Workout(
          try await operations.updateWorkout(
            id, draft, of: owner, expecting: Etag.revision(of: new.etag), tx))
      }
    }
  }
}

extension Workout {
  /// The fields that an update without a mask changes.
  fileprivate var fieldsWithValues: [WorkoutDraft.Field] {
    WorkoutDraft.Field.allCases.filter { field in
      switch field {
      case .name: !name.isEmpty
      case .description: !description.isEmpty
      case .muscleGroups: !muscleGroups.isEmpty
      case .entries: !entries.isEmpty
      }
    }
  }
}
