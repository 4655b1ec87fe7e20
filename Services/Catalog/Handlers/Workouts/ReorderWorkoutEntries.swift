import CatalogDomain
import CatalogOperations
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
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let workoutID = bad.workoutID(call.workoutID)
    let order = call.entryIds.prefix(WorkoutPlan.maxEntries + 1).compactMap { UUID7($0) }
    if order.count != call.entryIds.count {
      bad.add("entry_ids", WorkoutPlan.Refusal.orderText, CatalogReason.entryIdsInvalid)
    }
    let id = try bad.all(workoutID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let revision = Etag.revision(of: call.etag)
      return Workout(
        try await operations.reorderWorkoutEntries(id, by: order, of: owner, expecting: revision, tx))
    }
  }
}
