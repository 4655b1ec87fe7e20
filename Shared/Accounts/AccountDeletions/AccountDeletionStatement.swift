public import Identifiers
public import Postgres

/// Removes what one table stores about a user, or keeps it without the user ([C-9]).
///
/// It runs once for each user whose account was deleted, in the transaction in which the service records that; and
/// again after a resync, so it must have no further effect on a user who was removed before.
public protocol AccountDeletionStatement: Statement where Row == Void {
  init(userID: UserID)

  /// A query for all users of whom the table has data, as one column of type `uuid`; nulls and duplicates are ignored.
  static var users: String { get }
}

/// The statements of account deletion, for a service's schema.
public enum AccountDeletionsSchema {
  /// The queries by which a service finds the users in its own tables: for the list that a test prepares.
  public static func statements(for removals: [any AccountDeletionStatement.Type]) -> [any Statement.Type] {
    removals.flatMap { [$0, listing($0)] }
  }

  private static func listing<R: AccountDeletionStatement>(_ removal: R.Type) -> any Statement.Type {
    UsersKept<R>.self
  }
}

/// A page of the users of whom a table has data, in the order of their ids; by hand, as its SQL contains that of
/// another type.
struct UsersKept<R: AccountDeletionStatement>: Statement {
  static var pace: Pace { .slow }
  typealias Row = UserID
  static var sql: String {
    """
    select distinct stored.user_id from (\(R.users)) as stored (user_id) where stored.user_id > $1 order by stored.user_id
    limit $2
    """
  }
  let after: UserID
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(Int64(limit))
  }
}
