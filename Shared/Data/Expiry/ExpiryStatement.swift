public import Identifiers
public import Postgres

/// A statement that removes some expired rows.
///
/// It removes rows whose time is a moment or an earlier one, at most a number of them, and returns a row with a 1 for
/// each. Rows that another transaction has locked are left to the next sweep:
/// ```sql
/// -- name: DeleteOldNotes :many
/// delete from notes where id in (
///   select id from notes where created_at <= :moment limit :limit for update skip locked
/// ) returning 1 as "removed!";
/// ```
/// ```swift
/// extension DeleteOldNotes: ExpiryStatement {
///   package static let kept = Duration.seconds(24 * 3_600)
/// }
/// ```
public protocol ExpiryStatement: Statement where Row == Int32 {
  /// How long rows are kept after the time that the SQL compares; zero where that is the time at which they expire.
  static var kept: Duration { get }

  /// - Parameters:
  ///   - moment: the time of the latest rows that are removed.
  ///   - limit: how many at most.
  init(moment: Instant, limit: Int64)
}

extension ExpiryStatement {
  /// The rows that have expired at `now`.
  ///
  /// - Parameter limit: how many at most.
  public init(expiredAt now: Instant, limit: Int) {
    self.init(moment: now - Self.kept, limit: Int64(limit))
  }
}
