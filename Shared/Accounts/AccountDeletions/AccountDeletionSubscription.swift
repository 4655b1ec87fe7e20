public import Events
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension EventSubscription {
  /// Removes the data of users whose accounts were deleted ([C-9]).
  ///
  /// A service that was away for longer than identity keeps events resyncs: it asks identity which of the users it has
  /// data of have deleted accounts. Identity answers by its records of deletions, so an unknown user is not removed.
  public static func accountDeletions(_ removals: [any AccountDeletionStatement.Type]) -> EventSubscription {
    EventSubscription(
      of: "identity",
      handlers: [
        EventHandler(batchesOf: AccountDeleted.self) { events, tx in
          let users = try events.map { event throws(NoUser) in
            guard let user = UserID(event.message.userID) else { throw NoUser() }
            return user
          }
          try await remove(Set(users), by: removals, tx)
        }
      ],
      resyncRestoresAll: true,
      resync: { source in
        let deleted = try await deleted(removals, source)
        return { tx in try await remove(deleted, by: removals, tx) }
      })
  }

  /// Removes the data of users table by table, in the order of their ids, in which others lock rows of users too.
  private static func remove(_ users: Set<UserID>, by removals: [any AccountDeletionStatement.Type], _ tx: Transaction)
    async throws
  {
    let users = users.sorted()
    for removal in removals { try await remove(users, by: removal, tx) }
  }

  private static func remove<R: AccountDeletionStatement>(_ users: [UserID], by removal: R.Type, _ tx: Transaction)
    async throws
  {
    try await tx.rows(each: users.map { R(userID: $0) })
  }

  /// The event has no user id.
  private struct NoUser: Error {}

  // MARK: Resync

  /// Users that identity is asked about at a time, its limit.
  private static let page = 1_000
  /// A page takes identity one lookup in an index.
  private static let timeout = Duration.seconds(10)

  /// All users of whom there is data and whose accounts were deleted.
  private static func deleted(
    _ removals: [any AccountDeletionStatement.Type], _ source: ResyncSource
  ) async throws -> Set<UserID> {
    var deleted: Set<UserID> = []
    for removal in removals { try await deleted.formUnion(Self.deleted(of: removal, source)) }
    return deleted
  }

  private static func deleted<R: AccountDeletionStatement>(
    of removal: R.Type, _ source: ResyncSource
  ) async throws -> Set<UserID> {
    let directory = DirectoryClient(source.producer)
    var deleted: Set<UserID> = []
    var last = UserID(UUID7(high: 0, low: 0))
    while true {
      let users = try await source.database.rows(UsersKept<R>(after: last, limit: page))
      guard let end = users.last else { return deleted }
      let answer = try await directory.findDeletedAccounts(
        FindDeletedAccountsRequest(userIds: users.map(\.description)), CallOptions(timeout: timeout))
      deleted.formUnion(answer.deletedUserIds.compactMap { UserID($0) })
      if users.count < page { return deleted }
      last = end
    }
  }
}
