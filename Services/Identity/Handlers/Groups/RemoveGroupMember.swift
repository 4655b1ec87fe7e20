import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import TTRPC
import TandemIdentity

extension Groups {
  /// Removes a user from one of the caller's groups ([ID-42]).
  package func removeGroupMember(
    _ call: RemoveGroupMemberRequest, _ context: CallContext
  ) async throws -> RemoveGroupMemberResponse {
    let actor = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupID = bad.groupID("group_id", call.groupID)
    let userID = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    let (id, target) = try bad.all(groupID, userID)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.removeGroupMember(target, from: id, by: actor, tx)
      return RemoveGroupMemberResponse()
    }
  }
}
