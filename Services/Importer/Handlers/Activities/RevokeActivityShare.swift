import FieldViolations
import Idempotency
import ImporterDomain
import ImporterOperations
import TTRPC
import TandemImporter

extension Activities {
  /// Revokes a link to one of the caller's activities ([CA-15]).
  package func revokeActivityShare(
    _ call: RevokeActivityShareRequest, _ context: CallContext
  ) async throws -> RevokeActivityShareResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", ActivityShareID(call.shareID), "This is not the id of a link", ImporterReason.shareIDInvalid)
    let id = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.revokeActivityShare(id, of: user, tx)
      return RevokeActivityShareResponse()
    }
  }
}
