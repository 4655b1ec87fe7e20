import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// Deletes one of the caller's workouts, with its links ([CA-12]).
  package func deleteWorkout(_ call: DeleteWorkoutRequest, _ context: CallContext) async throws -> DeleteWorkoutResponse
  {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.workoutID(call.workoutID)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let change = try await nextChange(.keeps, by: owner, tx)
      _ = try await ownWorkout(id, of: owner, call.etag, tx)
      let now = environment.clock.now
      try await tx.execute(MarkWorkoutDeleted(now: now, change: change, workoutID: id))
      return DeleteWorkoutResponse(deleteTime: now.timestamp)
    }
  }
}
