import CatalogDomain
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Removes an entry from one of the caller's workouts ([CA-12]).
  package func removeWorkoutEntry(_ call: RemoveWorkoutEntryRequest, _ context: CallContext) async throws -> Workout {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (id, entry) = (bad.workoutID(call.workoutID), bad.entryID(call.entryID))
    let (workout, removed) = try bad.all(id, entry)
    let edit = WorkoutEdit(
      id: workout, etag: call.etag, requestID: requestID, execution: .init(validateOnly: call.validateOnly))
    return try await self.edit(call, context, edit) { plan in
      try planning { () throws(WorkoutPlan.Refusal) in try plan.remove(removed) }
    }
  }
}
