import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import UserCalls

extension Groups {
  /// Invites a user to one of the caller's groups by e-mail address ([ID-41], [ID-44]).
  package func addGroupMember(_ call: AddGroupMemberRequest, _ context: CallContext) async throws -> GroupInvitation {
    let actor = try context.userID
    let wish = try InvitationWish(call)
    let key = context.requestKey(wish.requestID)
    if let first: GroupInvitation = try await idempotency.firstAnswer(to: call, key) { return first }
    let target = try await operations.lookUpInvitee(wish.email, for: actor, in: wish.group)
    return try await idempotency.execute(call, key) { tx in
      let (invitation, group) = try await operations.addGroupMember(
        target, by: wish.email, to: wish.group, as: actor, tx)
      return GroupInvitation(invitation, to: group, for: actor)
    }
  }
}

/// The validated fields of the request.
private struct InvitationWish {
  let group: GroupID
  let email: EmailAddress
  let requestID: UUID7?

  init(_ call: AddGroupMemberRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let group = bad.groupID("group_id", call.groupID)
    let email = bad.require("email", EmailAddress(call.email), EmailAddress.refusal, IdentityReason.emailInvalid)
    (self.group, self.email) = try bad.all(group, email)
  }
}
