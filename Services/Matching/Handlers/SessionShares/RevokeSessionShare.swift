import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Sessions {
  /// Revokes one of the caller's links ([CA-15]).
  package func revokeSessionShare(
    _ call: RevokeSessionShareRequest, _ context: CallContext
  ) async throws -> RevokeSessionShareResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", SessionShareID(call.shareID), "This is not the id of a link", MatchingReason.shareIDInvalid)
    let id = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.revokeSessionShare(id, of: user, tx)
      return RevokeSessionShareResponse()
    }
  }
}
