import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Makes a user a member of the group that an invitation is to ([ID-41], [ID-44]). An acceptance that is repeated finds the membership.
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation`, `Membership.JoinRefusal`, `IdentityFailure`.
  package func acceptInvitation(
    _ id: InvitationID, by invitee: UserID, _ tx: Transaction
  ) async throws -> (group: StoredGroup, joinedAt: Instant) {
    guard let found = try await tx.first(InvitationTo(invitationID: id, userID: invitee, lapsedBefore: lapse))
    else { return try await accepted(id, by: invitee, tx) }
    let users = try await tx.rows(LockUsers(userIDs: [invitee, found.inviterID]))
    guard let member = users.first(where: { $0.id == invitee }) else { throw IdentityFailure.noAccount }
    let group = try await tx.first(LockGroup(groupID: found.groupID))
    // The locks keep away everything that could still end it, but it may have ended while they were waited for.
    guard let group, let inviter = users.first(where: { $0.id == found.inviterID }),
      try await tx.first(TakeInvitation(invitationID: id, userID: invitee, lapsedBefore: lapse)) != nil
    else { return try await accepted(id, by: invitee, tx) }
    return try await join(group, by: id, member, invitedBy: inviter, tx)
  }

  /// What a repeated acceptance finds.
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation` when the user is not a member by the invitation.
  private func accepted(
    _ id: InvitationID, by invitee: UserID, _ tx: Transaction
  ) async throws -> (group: StoredGroup, joinedAt: Instant) {
    guard let found = try await tx.first(MembershipByInvitation(userID: invitee, invitationID: id)) else {
      throw GroupRefusal.noSuchInvitation
    }
    return (found.group, found.joinedAt)
  }

  private func join(
    _ group: StoredGroup, by id: InvitationID, _ member: KnownUser, invitedBy inviter: KnownUser, _ tx: Transaction
  ) async throws -> (group: StoredGroup, joinedAt: Instant) {
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
    return (joined, now)
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
