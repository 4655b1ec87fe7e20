import FieldViolations
import Idempotency
import Identifiers
import IdentityStore
import TTRPC
import TandemEvents
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
      let (group, membership) = try await memberships.locked(id, for: member, in: tx)
      try await memberships.end(membership, of: member, in: group, by: member, .left, tx: tx)
      return LeaveGroupResponse()
    }
  }
}
