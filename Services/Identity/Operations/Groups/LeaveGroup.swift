import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents

extension GroupOperations {
  /// Removes a user from a group as they wish; the last member to leave deletes it ([ID-42]).
  ///
  /// - Throws: `GroupRefusal.notAMember`.
  package func leaveGroup(_ id: GroupID, by member: UserID, _ tx: Transaction) async throws {
    let (group, membership) = try await memberships.locked(id, for: member, in: tx)
    try await memberships.end(membership, of: member, in: group, by: member, .left, tx: tx)
  }
}
