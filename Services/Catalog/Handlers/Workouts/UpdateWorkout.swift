import CatalogDomain
import FieldMasks
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Changes the fields in the mask of one of the caller's workouts, and no others ([CA-12]).
  package func updateWorkout(_ call: UpdateWorkoutRequest, _ context: CallContext) async throws -> Workout {
    let new = call.workout ?? Workout()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.workoutID(new.workoutID, "workout.workout_id")
    let immutable: Set<String> = ["workout_id", "curated", "level", "etag", "create_time", "update_time"]
    let named = bad.fields(named: call.updateMask, immutable: immutable, otherwise: Set(new.fieldsWithValues))
    let draft = WorkoutDraft(named, of: new, &bad)
    try await addUnknown(draft.namedExercises, to: &bad)
    let edit = WorkoutEdit(
      id: try bad.all(id), etag: new.etag, requestID: requestID, execution: .init(validateOnly: call.validateOnly))
    return try await self.edit(call, context, edit, naming: draft.namedExercises) { plan in
      try draft.apply(to: &plan) { newEntryID() }
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
