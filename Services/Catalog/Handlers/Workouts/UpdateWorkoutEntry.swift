import CatalogDomain
import FieldMasks
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Changes the fields in the mask of an entry of one of the caller's workouts, and no others ([CA-12]).
  package func updateWorkoutEntry(_ call: UpdateWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    let new = call.entry ?? WorkoutEntry()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.workoutID(call.workoutID)
    let entryID = bad.entryID(new.entryID, "entry.entry_id")
    let named = bad.fields(
      named: call.updateMask, immutable: ["entry_id", "exercise_name"], otherwise: Set(new.fieldsWithValues))
    let draft = EntryDraft(named, of: new, "entry", &bad)
    try await addUnknown(draft.namedExercises, to: &bad)
    let (workout, entry) = try bad.all(id, entryID)
    let edit = WorkoutEdit(
      id: workout, etag: call.etag, requestID: requestID, execution: .init(validateOnly: call.validateOnly))
    return try await self.edit(call, context, edit, naming: draft.namedExercises) { plan in
      guard var changed = plan.entries.first(where: { $0.id == entry }) else {
        throw WorkoutPlan.Refusal.noSuchEntry.refusal()
      }
      try draft.apply(to: &changed)
      try planning { () throws(WorkoutPlan.Refusal) in try plan.change(entry) { $0 = changed } }
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
