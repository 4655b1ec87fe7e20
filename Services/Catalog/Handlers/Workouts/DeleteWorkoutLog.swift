import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Workouts {
  /// Deletes one of the caller's logs ([CA-14]).
  package func deleteWorkoutLog(
    _ call: DeleteWorkoutLogRequest, _ context: CallContext
  ) async throws -> DeleteWorkoutLogResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "log_id", WorkoutLogID(call.logID), "This is not the id of a log", CatalogReason.logIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.deleteWorkoutLog(id, of: owner, tx)
      return DeleteWorkoutLogResponse()
    }
  }
}
