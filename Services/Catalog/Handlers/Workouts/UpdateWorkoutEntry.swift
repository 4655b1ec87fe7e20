import CatalogOperations
import FieldMasks
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Changes the fields in the mask of an entry of one of the caller's workouts, and no others ([CA-12]).
  package func updateWorkoutEntry(_ call: UpdateWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    let new = call.entry ?? WorkoutEntry()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.workoutID(call.workoutID)
    let entryID = bad.entryID(new.entryID, "entry.entry_id")
    let named = bad.fields(
      named: call.updateMask, immutable: ["entry_id", "exercise_name"], otherwise: Set(new.fieldsWithValues))
    let draft = EntryDraft(named, of: new, "entry", &bad)
    let exercises = draft.namedExercises("entry")
    try await addUnknown(exercises, to: &bad)
    let (workout, entry) = try bad.all(id, entryID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await naming(exercises) {
        Workout(
          try await operations.updateWorkoutEntry(
            entry, draft, in: workout, of: owner, expecting: Etag.revision(of: call.etag), tx))
      }
    }
  }
}

extension WorkoutEntry {
  /// The fields that an update without a mask changes.
  fileprivate var fieldsWithValues: [EntryDraft.Field] {
    EntryDraft.Field.allCases.filter { field in
      switch field {
      case .exercise: !exerciseID.isEmpty
      case .sets: sets != 0
      case .reps: reps != 0
      case .duration: durationS != 0
      case .weight: weightKg != nil
      case .rest: restS != 0
      case .note: !note.isEmpty
      }
    }
  }
}
