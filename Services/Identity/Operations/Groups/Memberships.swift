import Environment
import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

/// Changes memberships of groups and publishes an event for each change ([ID-43]).
///
/// Accounts are locked before groups, and several groups in the order of their ids, so that no two transactions
/// deadlock.
package struct Memberships: Sendable {
  private let events: Outbox
  private let clock: any WallClock

  package init(events: Outbox, clock: any WallClock) { (self.events, self.clock) = (events, clock) }

  /// Locks a group until the transaction ends, and returns it with the user's membership.
  ///
  /// - Throws: `GroupRefusal.notAMember`, also when there is no such group.
  func locked(
    _ id: GroupID, for member: UserID, in tx: Transaction
  ) async throws -> (group: StoredGroup, membership: MembershipID) {
    guard let group = try await tx.first(LockGroup(groupID: id)),
      let membership = try await tx.first(MembershipOf(userID: member, groupID: id))
    else { throw GroupRefusal.notAMember }
    return (group, membership)
  }

  /// Publishes the event of a new membership.
  func tell(
    _ membership: MembershipID, of member: UserID, in group: GroupID, by actor: UserID, tx: Transaction
  ) async throws {
    try await events.publish(
      GroupMemberAdded(
        groupID: group.description, userID: member.description, actorUserID: actor.description,
        membershipID: membership.description, addTime: clock.now.timestamp), in: tx)
  }

  /// Ends a membership of a group that the transaction has locked. The group is deleted with its last member ([ID-42]).
  func end(
    _ membership: MembershipID, of member: UserID, in group: StoredGroup, by actor: UserID,
    _ reason: GroupMemberRemovalReason, tx: Transaction
  ) async throws {
    let isLast = Membership.isDeleted(withOneOf: Int(group.memberCount))
    if isLast {
      try await tx.execute(DeleteGroup(groupID: group.id))
    } else {
      try await tx.execute(DeleteMember(membershipID: membership))
    }
    let now = clock.now.timestamp
    try await events.publish(
      GroupMemberRemoved(
        groupID: group.id.description, userID: member.description, actorUserID: actor.description,
        membershipID: membership.description, reason: reason, removeTime: now), in: tx)
    if isLast { try await events.publish(GroupDeleted(groupID: group.id.description, deleteTime: now), in: tx) }
  }

  /// Ends every membership of a user whose account is about to be deleted and is locked, so that no user can add them
  /// meanwhile ([C-9]).
  package func endAll(of member: UserID, in tx: Transaction) async throws {
    for found in try await tx.rows(GroupsOf(userID: member, after: nil, limit: nil)) {
      // Another member may have removed them meanwhile.
      guard let group = try await tx.first(LockGroup(groupID: found.id)),
        let membership = try await tx.first(MembershipOf(userID: member, groupID: found.id))
      else { continue }
      try await end(membership, of: member, in: group, by: member, .accountDeleted, tx: tx)
    }
  }
}
