import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension GroupOperations {
  /// Creates a group with its creator as the first member ([ID-40]).
  ///
  /// - Throws: `Membership.JoinRefusal`, `IdentityFailure`.
  package func createGroup(_ name: GroupName, by creator: UserID, _ tx: Transaction) async throws -> StoredGroup {
    guard try await !tx.rows(LockUsers(userIDs: [creator])).isEmpty else { throw IdentityFailure.noAccount }
    let groups = try await tx.first(CountGroups(userID: creator)) ?? 0
    if let refusal = Membership.refusal(members: 0, groups: Int(groups)) { throw refusal }
    let (id, membership): (GroupID, MembershipID) = (environment.newID(), environment.newID())
    let now = environment.clock.now
    let new = InsertGroup(groupID: id, name: name.text, now: now, userID: creator, membershipID: membership)
    guard let made = try await tx.first(new) else {
      preconditionFailure("an insert that does not fail returns its row")
    }
    try await events.publish(
      GroupCreated(
        groupID: id.description, name: name.text, creatorUserID: creator.description, createTime: now.timestamp),
      in: tx)
    try await memberships.tell(membership, of: creator, in: id, by: creator, tx: tx)
    return made
  }
}
