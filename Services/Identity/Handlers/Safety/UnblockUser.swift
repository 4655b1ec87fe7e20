import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import TTRPC
import TandemIdentity

extension Safety {
  /// Removes a block; has no effect if there is none ([ID-26]).
  package func unblockUser(_ call: UnblockUserRequest, _ context: CallContext) async throws -> UnblockUserResponse {
    let blocker = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    let blocked = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.unblockUser(blocked, by: blocker, tx)
      return UnblockUserResponse()
    }
  }
}
