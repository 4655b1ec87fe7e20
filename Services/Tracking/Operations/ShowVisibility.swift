import Blocks
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Shows that users see each other, or no longer see each other, in the groups that both are members of ([C-10]).
  ///
  /// The users are locked, so that a membership from the same moment is either among these groups, or begins after the block.
  package func showVisibility(between pairs: [Block], _ tx: Transaction) async throws {
    let users = Set(pairs.flatMap { [$0.blocker, $0.blocked] }).sorted()
    let (_, shared) = try await tx.rows(
      LockUsers(userIDs: users), SharedGroups(ones: pairs.map(\.blocker), others: pairs.map(\.blocked)))
    try await changes.store(
      shared.flatMap { row in
        [row.one, row.other].map { GroupChange(.visibility, of: $0, in: row.groupID, state: .inactive) }
      }, tx)
  }

  /// Shows, in all groups, that their members may see each other differently now.
  package func showVisibilityOfAll(_ tx: Transaction) async throws {
    try await showVisibility(in: try await tx.rows(GroupIDs()), tx)
  }

  /// Shows, in the groups of users whose names have changed, that their members see them otherwise now ([ID-22]).
  ///
  /// The users are locked, so that a membership from the same moment is either among these groups, or has the new name.
  package func showNames(of users: [UserID], _ tx: Transaction) async throws {
    let named = users.sorted()
    let (_, groups) = try await tx.rows(LockUsers(userIDs: named), GroupsOfUsers(userIDs: named))
    try await showVisibility(in: groups, tx)
  }

  private func showVisibility(in groups: [GroupID], _ tx: Transaction) async throws {
    for start in stride(from: 0, to: groups.count, by: Self.batch) {
      let part = groups[start..<min(start + Self.batch, groups.count)]
      try await changes.store(part.map { GroupChange(.visibility, of: .everyone, in: $0, state: .inactive) }, tx)
    }
  }

  /// Changes stored by one statement.
  private static let batch = 5_000
}
