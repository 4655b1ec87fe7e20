import Blocks
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension GroupChanges {
  /// Stores that users see each other, or no longer see each other, in the groups that both are members of ([C-10]).
  ///
  /// The users are locked, so that a membership from the same moment is either among these groups, or begins after the block.
  package func storeVisibility(between pairs: [Block], _ tx: Transaction) async throws {
    let users = Set(pairs.flatMap { [$0.blocker, $0.blocked] }).sorted()
    let (_, shared) = try await tx.rows(
      LockUsers(userIDs: users), SharedGroups(ones: pairs.map(\.blocker), others: pairs.map(\.blocked)))
    try await store(
      shared.flatMap { row in
        [row.one, row.other].map { GroupChange(.visibility, of: $0, in: row.groupID, state: .inactive) }
      }, tx)
  }

  /// Stores, for all groups, that their members may see each other differently now.
  package func storeVisibilityOfAll(_ tx: Transaction) async throws {
    let groups = try await tx.rows(GroupIDs())
    for start in stride(from: 0, to: groups.count, by: Self.batch) {
      let part = groups[start..<min(start + Self.batch, groups.count)]
      try await store(part.map { GroupChange(.visibility, of: .everyone, in: $0, state: .inactive) }, tx)
    }
  }

  /// Changes stored by one statement.
  private static let batch = 5_000
}
