import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Finds the user with an address, whom a member of a group wants to invite. An unknown address, and one whose owner blocks the member, is
  /// counted, because the answer reveals something.
  ///
  /// Of any number of concurrent calls no more than the limit learn something: they look one after the other.
  /// - Throws: `GroupRefusal`, `Throttled`.
  package func lookUpInvitee(_ email: EmailAddress, for actor: UserID, in group: GroupID) async throws -> UserID {
    guard try await database.first(MembershipOf(userID: actor, groupID: group)) != nil else {
      throw GroupRefusal.notAMember
    }
    let known = try await throttles.counting(.user(actor, .strangerAdded)) { tx in
      try await tx.first(UserToInvite(inviterID: actor, emailKey: email.key))
    }
    guard let known else { throw GroupRefusal.unknownEmail }
    return known.knownUser.id
  }

  /// Invites a user to a group by e-mail address ([ID-41], [ID-44]).
  ///
  /// - Parameter target: who has the address (``lookUpInvitee(_:for:in:)``).
  /// - Throws: `GroupRefusal`, `Invitation.Refusal`, `Throttled`, `IdentityFailure`.
  package func addGroupMember(
    _ target: UserID, by email: EmailAddress, to id: GroupID, as actor: UserID, _ tx: Transaction
  ) async throws -> (invitation: StoredInvitation, group: StoredGroup) {
    // Both are locked: neither can block the other before this transaction ends, and of the invitations to the one,
    // and from the other, one is made after the other.
    let users = try await tx.rows(LockUsers(userIDs: [actor, target]))
    guard let inviter = users.first(where: { $0.id == actor }) else { throw IdentityFailure.noAccount }
    guard let invitee = try await tx.first(UserToInvite(inviterID: actor, emailKey: email.key)),
      invitee.knownUser.id == target
    else { throw GroupRefusal.unknownEmail }
    let (group, _) = try await memberships.locked(id, for: actor, in: tx)
    let now = environment.clock.now
    try await requireInvitable(target, to: group, by: actor, at: now, tx)
    try await throttles.count([.user(actor, .invitation)], in: tx)
    let invitation: InvitationID = environment.newID()
    let new = InsertInvitation(invitation, of: target, to: group.id, by: actor, email: email, now: now)
    guard try await tx.first(new) != nil else { throw IdentityFailure.changedMeanwhile }
    if !invitee.isHidden { try await notify(target, of: invitation, at: now, tx) }
    let stored = StoredInvitation(
      invitationID: invitation, inviterID: actor, inviterUsername: inviter.username, email: email.spelling,
      invitedAt: now)
    return (stored, group)
  }

  /// Checks that the user can be invited. How many groups they are in matters only when they accept.
  private func requireInvitable(
    _ target: UserID, to group: StoredGroup, by actor: UserID, at now: Instant, _ tx: Transaction
  ) async throws {
    let found = try await tx.first(
      InvitationFacts(
        groupID: group.id, inviteeID: target, lapsedBefore: Invitation.lapse(at: now),
        declinedBefore: Invitation.pardon(at: now), inviterID: actor))
    guard let found else { preconditionFailure("a statement without tables returns a row") }
    let refusal = Invitation.refusal(
      .init(
        isMember: found.isMember, members: Int(group.memberCount), isInvited: found.isInvited,
        hasDeclined: found.hasDeclined, open: Int(found.open)))
    if let refusal { throw refusal }
  }

  /// Notifies a user of an invitation. One notification stands for all invitations until it is read or a day old, so
  /// that any number of inviters sends one mail a day.
  private func notify(_ invitee: UserID, of id: InvitationID, at now: Instant, _ tx: Transaction) async throws {
    let earlier = HasUnreadNotification(
      userID: invitee, kind: .groupInvited, createdAfter: now - Lifetimes.invitationNotice)
    if try await tx.first(earlier) == true { return }
    guard let source = SourceKey("invitations/\(id)") else { preconditionFailure("an id is printable") }
    try await notifier.notify([Notice(.groupInvited, to: invitee, because: source, about: "invitations")], in: tx)
  }
}
