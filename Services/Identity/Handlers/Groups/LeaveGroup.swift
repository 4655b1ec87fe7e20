import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import TTRPC
import TandemIdentity

extension Groups {
  /// Removes the caller from a group; the last member to leave deletes it ([ID-42]).
  package func leaveGroup(_ call: LeaveGroupRequest, _ context: CallContext) async throws -> LeaveGroupResponse {
    let member = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.groupID("group_id", call.groupID)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.leaveGroup(id, by: member, tx)
      return LeaveGroupResponse()
    }
  }
}
