import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Adds an exercise to one of the caller's workouts ([CA-12]).
  package func addWorkoutEntry(_ call: AddWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.workoutID(call.workoutID)
    let draft = EntryDraft(whole: call.entry ?? WorkoutEntry(), "entry", &bad)
    try await addUnknown(draft.namedExercises, to: &bad)
    let edit = WorkoutEdit(
      id: try bad.all(id), etag: call.etag, requestID: requestID, execution: .init(validateOnly: call.validateOnly))
    guard let entry = draft.entry(newEntryID()) else {
      preconditionFailure("a field that is missing was not noted")
    }
    return try await self.edit(call, context, edit, naming: draft.namedExercises) { plan in
      try planning { () throws(WorkoutPlan.Refusal) in try plan.insert(entry, at: call.position.map(Int.init)) }
    }
  }
}

extension EntryDraft {
  /// Its exercise, with the field that names it.
  var namedExercises: [(field: String, id: ExerciseID)] {
    exercise.map { [("\(path).\(Field.exercise.rawValue)", $0)] } ?? []
  }
}
