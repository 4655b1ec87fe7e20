public import Identifiers
public import Postgres

/// Removes what one table keeps of a user, or makes it nobody's ([C-9]).
///
/// It runs once for each user who leaves, in the transaction in which the service notes that they have; and again when the service missed
/// the news of it for good, so it must do no harm to who was removed before.
public protocol AccountDeletionStatement: Statement where Row == Void {
  init(of user: UserID)

  /// A query for everybody of whom the table keeps something, as one column of type `uuid`; nulls and repetitions are passed over.
  static var users: String { get }
}

/// What is there for the schema of a service.
public enum AccountDeletionsSchema {
  /// The statements that a service asks its own tables by whose users have left: for the list that a test prepares.
  public static func statements(for removals: [any AccountDeletionStatement.Type]) -> [any Statement.Type] {
    removals.flatMap { [$0, listing($0)] }
  }

  private static func listing<R: AccountDeletionStatement>(_ removal: R.Type) -> any Statement.Type {
    UsersKept<R>.self
  }
}

/// Some of the users of whom a table keeps something, in the order of their ids.
struct UsersKept<R: AccountDeletionStatement>: Statement {
  static var pace: Pace { .slow }
  typealias Row = UserID
  static var sql: String {
    """
    select distinct kept.person from (\(R.users)) as kept (person) where kept.person > $1 order by kept.person limit $2
    """
  }
  let after: UserID
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(Int64(limit))
  }
}
