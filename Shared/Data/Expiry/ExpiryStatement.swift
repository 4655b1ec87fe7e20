public import Identifiers
public import Postgres

/// A statement that removes some expired rows.
///
/// Its SQL takes a moment ($1) and a number ($2): it removes rows whose time is that moment or an earlier one, at most
/// that many, and returns a row with a 1 for each. Rows that another transaction has locked are left to the next sweep:
/// ```swift
/// struct DeleteOldNotes: ExpiryStatement {
///   static let kept = Duration.seconds(24 * 3_600)
///   static let sql = """
///     delete from notes where id in (
///       select id from notes where created_at <= $1 limit $2 for update skip locked
///     ) returning 1
///     """
///   let batch: ExpiryBatch
///   init(_ batch: ExpiryBatch) { self.batch = batch }
/// }
/// ```
public protocol ExpiryStatement: Statement where Row == Int32 {
  /// How long rows are kept after the time that the SQL compares; zero where that is the time at which they expire.
  static var kept: Duration { get }
  /// The rows to remove.
  var batch: ExpiryBatch { get }
  init(_ batch: ExpiryBatch)
}

/// A part of a table's rows: those of a moment or an earlier one, up to a limit.
public struct ExpiryBatch: Sendable, Hashable {
  let moment: Instant
  let limit: Int64
}

extension ExpiryStatement {
  /// The rows that have expired at `now`.
  ///
  /// - Parameter limit: how many at most.
  public init(now: Instant, limit: Int) {
    self.init(ExpiryBatch(moment: now - Self.kept, limit: Int64(limit)))
  }

  public func bind(_ p: inout Parameters) {
    p.append(batch.moment)
    p.append(batch.limit)
  }
}
