public import Identifiers
public import Postgres

/// Removes the stored responses to a user's requests ([C-9]).
public struct DeleteIdempotencyKeysOfUser: AccountDeletionStatement {
  public typealias Row = Void
  /// The rows are found by the first column of their key.
  public static let sql = "delete from replays where caller = $1"
  /// The callers that are users. The form of the id is checked first, whatever the query adds.
  public static let users = """
    select case when caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then caller::uuid end as person
    from replays
    """
  private let caller: String

  /// - Parameter user: the id under which the responses are stored.
  public init(of user: UserID) { caller = user.description }

  public func bind(_ p: inout Parameters) { p.append(caller) }
}
