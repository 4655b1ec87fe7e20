import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension GroupOperations {
  /// Renames a group ([ID-42]).
  ///
  /// - Parameter etag: of the group as the member has read it; `nil` for any.
  /// - Throws: `GroupRefusal`.
  package func updateGroup(
    _ id: GroupID, name: GroupName, by member: UserID, ifMatching etag: String?, _ tx: Transaction
  ) async throws -> StoredGroup {
    let (group, _) = try await memberships.locked(id, for: member, in: tx)
    guard etag ?? group.etag == group.etag else { throw GroupRefusal.renamedMeanwhile }
    guard name.text != group.name,
      let renamed = try await tx.first(IdentityStore.RenameGroup(name: name.text, groupID: id))
    else { return group }
    try await events.publish(
      GroupRenamed(
        groupID: id.description, name: name.text, actorUserID: member.description,
        renameTime: environment.clock.now.timestamp), in: tx)
    return renamed
  }
}

extension StoredGroup {
  /// Changes whenever the group is renamed ([C-11]).
  package var etag: String { "\(revision)" }
}
