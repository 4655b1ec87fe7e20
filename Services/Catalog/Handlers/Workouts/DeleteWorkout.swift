import CatalogOperations
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
      let time = try await operations.deleteWorkout(id, of: owner, expecting: Etag.revision(of: call.etag), tx)
      return DeleteWorkoutResponse(deleteTime: time.timestamp)
    }
  }
}
