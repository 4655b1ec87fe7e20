import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension Groups {
  /// Adds a user to one of the caller's groups by e-mail address, and notifies both ([ID-41]).
  package func addGroupMember(_ call: AddGroupMemberRequest, _ context: CallContext) async throws -> GroupMember {
    let actor = try context.userID
    let wish = try AdditionWish(call)
    let key = context.requestKey(wish.requestID)
    if let first: GroupMember = try await idempotency.firstAnswer(to: call, key) { return first }
    let target = try await user(wish, for: actor)
    return try await idempotency.execute(call, key) { tx in
      let users = try await tx.rows(LockUsers(userIDs: [actor, target]))
      guard let adder = users.first(where: { $0.id == actor }) else { throw Status.notAUser }
      // Checked again under locks: neither can block the other before this transaction ends.
      guard let user = users.first(where: { $0.id == target }),
        try await tx.first(VisibleUserByEmail(emailKey: wish.email.key, viewerID: actor))?.id == target
      else { throw Status.unknownEmail }
      let (group, _) = try await memberships.locked(wish.group, for: actor, in: tx)
      try await requireRoom(for: target, in: group, tx)
      let (membership, now): (MembershipID, Instant) = (environment.newID(), environment.clock.now)
      try await tx.execute(InsertMember(groupID: group.id, userID: target, membershipID: membership, now: now))
      try await memberships.tell(membership, of: target, in: group.id, by: actor, tx: tx)
      try await notify(user, membership, in: group, by: adder, tx)
      return GroupMember(
        StoredMember(membershipID: membership, userID: user.id, username: user.username, joinedAt: now))
    }
  }

  /// Finds the user with the address. An unknown address, and one whose owner the caller cannot see, is counted,
  /// because the response reveals something.
  private func user(_ wish: AdditionWish, for actor: UserID) async throws -> UserID {
    guard try await database.first(MembershipOf(userID: actor, groupID: wish.group)) != nil else {
      throw Status.notAMember
    }
    let strangers = ThrottleKey.user(actor, .strangerAdded)
    try await throttles.requireRoom([strangers])
    guard let found = try await database.first(VisibleUserByEmail(emailKey: wish.email.key, viewerID: actor)) else {
      try await throttles.count([strangers])
      throw Status.unknownEmail
    }
    return found.id
  }

  private func requireRoom(for target: UserID, in group: StoredGroup, _ tx: Transaction) async throws {
    let isMember = try await tx.first(MembershipOf(userID: target, groupID: group.id)) != nil
    let groups = try await tx.first(CountGroups(userID: target)) ?? 0
    let refusal = Membership.refusal(isMember: isMember, members: Int(group.memberCount), groups: Int(groups))
    if let refusal { throw refusal }
  }

  private func notify(
    _ member: KnownUser, _ membership: MembershipID, in group: StoredGroup, by adder: KnownUser, _ tx: Transaction
  ) async throws {
    guard let source = SourceKey("memberships/\(membership)") else { preconditionFailure("an id is printable") }
    let subject = "groups/\(group.id)"
    try await notifier.notify(
      [
        Notice(
          .groupJoined(group: group.name, by: adder.username), to: member.id, because: source, about: subject),
        Notice(
          .groupMemberAdded(group: group.name, member: member.username), to: adder.id, because: source, about: subject),
      ], in: tx)
  }
}

/// The validated fields of the request.
private struct AdditionWish {
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
