public import Identifiers
public import Postgres

/// Forgets what the requests of a user who leaves were answered ([C-9]).
public struct DeleteIdempotencyKeysOfUser: AccountDeletionStatement {
  /// Nothing comes back.
  public typealias Row = Void
  /// Finds the rows by the first column of their key.
  public static let sql = "delete from replays where caller = $1"
  /// Those callers that are accounts. The shape is looked at first, whatever else the query asks.
  public static let users = """
    select case when caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then caller::uuid end as person
    from replays
    """
  private let caller: String

  /// - Parameter user: the account's id, by which its requests are kept.
  public init(of user: UserID) { caller = user.description }

  /// The one parameter.
  public func bind(_ p: inout Parameters) { p.append(caller) }
}
