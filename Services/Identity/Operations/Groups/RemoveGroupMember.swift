import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents

extension GroupOperations {
  /// Has a member of a group remove another, or themselves ([ID-42]).
  ///
  /// - Throws: `GroupRefusal`.
  package func removeGroupMember(
    _ target: UserID, from id: GroupID, by actor: UserID, _ tx: Transaction
  ) async throws {
    let (group, own) = try await memberships.locked(id, for: actor, in: tx)
    let membership = target == actor ? own : try await tx.first(MembershipOf(userID: target, groupID: id))
    guard let membership else { throw GroupRefusal.noSuchMember }
    try await memberships.end(membership, of: target, in: group, by: actor, target == actor ? .left : .removed, tx: tx)
  }
}
