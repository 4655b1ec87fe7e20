import CatalogDomain
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog

extension Workouts {
  /// Changes the order of the entries of one of the caller's workouts ([CA-12]).
  package func reorderWorkoutEntries(
    _ call: ReorderWorkoutEntriesRequest, _ context: CallContext
  ) async throws -> Workout {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.workoutID(call.workoutID)
    let order = call.entryIds.prefix(WorkoutPlan.maxEntries + 1).compactMap { UUID7($0) }
    if order.count != call.entryIds.count {
      bad.add("entry_ids", "The order must name each entry of the workout once", CatalogReason.entryIdsInvalid)
    }
    let edit = WorkoutEdit(
      id: try bad.all(id), etag: call.etag, requestID: requestID, execution: .init(validateOnly: call.validateOnly))
    return try await self.edit(call, context, edit) { plan in
      try planning { () throws(WorkoutPlan.Refusal) in try plan.reorder(order) }
    }
  }
}
