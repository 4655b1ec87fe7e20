import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Stores all memberships that there are, with the groups' names, and removes all others: for where events are gone.
  package func replaceMembers(
    by memberships: [ReportedMembership], in groups: [GroupID: NamedGroup], _ tx: Transaction
  ) async throws {
    let removed = try await tx.rows(RemoveOtherMemberships(membershipIDs: memberships.map(\.id)))
    // Who is a member again has not left, as far as views go: the new membership begins with its joining.
    let members = Set(memberships.map(\.pair))
    let left = removed.filter { !members.contains(ReportedMembership.Pair(group: $0.groupID, user: $0.userID)) }
    try await changes.store(left.map { GroupChange(.left, of: $0.userID, in: $0.groupID, state: .inactive) }, tx)
    for start in stride(from: 0, to: memberships.count, by: Self.batch) {
      let some = memberships[start..<min(start + Self.batch, memberships.count)]
      try await nameGroups(some.compactMap { groups[$0.groupID] }, tx)
      try await addMembers(Array(some), tx)
    }
    try await tx.execute(MarkMemberlessGroupsDeleted(now: environment.clock.now))
  }

  /// Memberships stored by one statement.
  private static let batch = 5_000
}
