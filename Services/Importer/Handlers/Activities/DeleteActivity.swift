import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter

extension Activities {
  /// Deletes one of the caller's activities with all its sources ([IM-11]).
  package func deleteActivity(
    _ call: DeleteActivityRequest, _ context: CallContext
  ) async throws -> DeleteActivityResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let activityID = bad.activityID(call.activityID)
    let id = try bad.all(activityID)
    return try await operations.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID)) { tx in
        try await operations.deleteActivity(id, of: user, tx)
        return DeleteActivityResponse()
      }
    }
  }
}
