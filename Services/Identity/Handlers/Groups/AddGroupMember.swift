import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
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
    let target = try await user(wish, for: actor)
    return try await idempotency.execute(call, key) { tx in
      // Both are locked: neither can block the other before this transaction ends, and of the invitations to the one,
      // and from the other, one is made after the other.
      let users = try await tx.rows(LockUsers(userIDs: [actor, target]))
      guard let inviter = users.first(where: { $0.id == actor }) else { throw Status.notAUser }
      guard let invitee = try await tx.first(UserToInvite(inviterID: actor, emailKey: wish.email.key)),
        invitee.knownUser.id == target
      else { throw Status.unknownEmail }
      let (group, _) = try await memberships.locked(wish.group, for: actor, in: tx)
      let now = environment.clock.now
      try await requireInvitable(target, to: group, by: actor, at: now, tx)
      try await throttles.count([.user(actor, .invitation)], in: tx)
      let id: InvitationID = environment.newID()
      let new = InsertInvitation(id, of: target, to: group.id, by: actor, email: wish.email, now: now)
      guard try await tx.first(new) != nil else { throw Status.concurrentChange }
      if !invitee.isHidden { try await notify(target, of: id, at: now, tx) }
      return GroupInvitation(
        StoredInvitation(
          invitationID: id, inviterID: actor, inviterUsername: inviter.username, email: wish.email.spelling,
          invitedAt: now),
        to: group, for: actor)
    }
  }

  /// Finds the user with the address. An unknown address, and one whose owner blocks the caller, is counted, because the
  /// response reveals something.
  ///
  /// Of any number of concurrent calls no more than the limit learn something: they look one after the other.
  private func user(_ wish: InvitationWish, for actor: UserID) async throws -> UserID {
    guard try await database.first(MembershipOf(userID: actor, groupID: wish.group)) != nil else {
      throw Status.notAMember
    }
    let strangers = ThrottleKey.user(actor, .strangerAdded)
    let known = try await throttles.counting(strangers) { tx in
      try await tx.first(UserToInvite(inviterID: actor, emailKey: wish.email.key))
    }
    guard let known else { throw Status.unknownEmail }
    return known.knownUser.id
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
