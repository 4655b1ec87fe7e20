import CatalogOperations
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Adds an exercise to one of the caller's workouts ([CA-12]).
  package func addWorkoutEntry(_ call: AddWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.workoutID(call.workoutID)
    let draft = EntryDraft(whole: call.entry ?? WorkoutEntry(), "entry", &bad)
    let exercises = draft.namedExercises("entry")
    try await addUnknown(exercises, to: &bad)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await naming(exercises) {
        Workout(
          try await operations.addWorkoutEntry(
            draft, at: call.position.map(Int.init), to: id, of: owner, expecting: Etag.revision(of: call.etag), tx))
      }
    }
  }
}
