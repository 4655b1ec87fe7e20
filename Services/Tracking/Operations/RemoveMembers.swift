import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Removes members whose memberships have ended, and shows their groups that they left ([TR-12]).
  package func removeMembers(_ ended: [ReportedMembership], _ tx: Transaction) async throws {
    let (_, members) = try await tx.rows(
      RemoveMemberships(
        groupIDs: ended.map(\.groupID), userIDs: ended.map(\.userID), membershipIDs: ended.map(\.id)),
      MembersAmong(groupIDs: ended.map(\.groupID), userIDs: ended.map(\.userID)))
    // The end of a membership that was followed by another, which is stored already, ends no view of that one.
    let newer = Set(members.map { ReportedMembership.Pair(group: $0.groupID, user: $0.userID) })
    // Told although the row was removed before, with the account.
    try await changes.store(
      ended.filter { !newer.contains($0.pair) }.map {
        GroupChange(.left, of: $0.userID, in: $0.groupID, state: .inactive)
      }, tx)
  }
}
