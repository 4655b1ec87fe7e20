import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension Invitations {
  /// Makes the caller a member of the group that an invitation is to ([ID-41], [ID-44]).
  package func acceptInvitation(
    _ call: AcceptInvitationRequest, _ context: CallContext
  ) async throws -> AcceptInvitationResponse {
    let invitee = try context.userID
    let order = try InvitationOrder(call.invitationID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      guard let found = try await tx.first(InvitationTo(invitationID: order.id, userID: invitee, lapsedBefore: lapse))
      else { return try await accepted(order.id, by: invitee, tx) }
      let users = try await tx.rows(LockUsers(userIDs: [invitee, found.inviterID]))
      guard let member = users.first(where: { $0.id == invitee }) else { throw Status.notAUser }
      let group = try await tx.first(LockGroup(groupID: found.groupID))
      // The locks keep away everything that could still end it, but it may have ended while they were waited for.
      guard let group, let inviter = users.first(where: { $0.id == found.inviterID }),
        try await tx.first(TakeInvitation(invitationID: order.id, userID: invitee, lapsedBefore: lapse)) != nil
      else { return try await accepted(order.id, by: invitee, tx) }
      return try await join(group, by: order.id, member, invitedBy: inviter, tx)
    }
  }

  /// The response to a repeated acceptance.
  ///
  /// - Throws: NOT_FOUND when the user is not a member by the invitation.
  private func accepted(
    _ id: InvitationID, by invitee: UserID, _ tx: Transaction
  ) async throws -> AcceptInvitationResponse {
    guard let found = try await tx.first(MembershipByInvitation(userID: invitee, invitationID: id)) else {
      throw Status.noSuchInvitation
    }
    return AcceptInvitationResponse(group: Group(found.group), joinTime: found.joinedAt.timestamp)
  }

  private func join(
    _ group: StoredGroup, by id: InvitationID, _ member: KnownUser, invitedBy inviter: KnownUser, _ tx: Transaction
  ) async throws -> AcceptInvitationResponse {
    let groups = try await tx.first(CountGroups(userID: member.id)) ?? 0
    if let refusal = Membership.refusal(members: Int(group.memberCount), groups: Int(groups)) { throw refusal }
    let (membership, now): (MembershipID, Instant) = (environment.newID(), environment.clock.now)
    try await tx.execute(
      InsertMember(groupID: group.id, userID: member.id, membershipID: membership, now: now, invitationID: id))
    try await memberships.tell(membership, of: member.id, in: group.id, by: inviter.id, tx: tx)
    try await notify(member, membership, in: group, invitedBy: inviter, tx)
    let joined = StoredGroup(
      id: group.id, name: group.name, memberCount: group.memberCount + 1, revision: group.revision,
      createdAt: group.createdAt)
    return AcceptInvitationResponse(group: Group(joined), joinTime: now.timestamp)
  }

  private func notify(
    _ member: KnownUser, _ membership: MembershipID, in group: StoredGroup, invitedBy inviter: KnownUser,
    _ tx: Transaction
  ) async throws {
    guard let source = SourceKey("memberships/\(membership)") else { preconditionFailure("an id is printable") }
    let subject = "groups/\(group.id)"
    try await notifier.notify(
      [
        Notice(
          .groupJoined(group: group.name, by: inviter.id), to: member.id, because: source, about: subject),
        Notice(
          .groupMemberAdded(group: group.name, member: member.id), to: inviter.id, because: source,
          about: subject),
      ], in: tx)
  }
}
