public import Identifiers
public import Postgres

/// A statement that removes some rows which have been of use.
///
/// Its SQL takes a moment ($1) and a number ($2): it removes rows whose time is that moment or an earlier one, so many at most, and gives a row
/// with a 1 for each. Rows that somebody has locked it leaves to the next sweep:
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
  /// How long rows are kept after the time that the SQL looks at; zero where that is the time at which they expire.
  static var kept: Duration { get }
  /// Which rows go.
  var batch: ExpiryBatch { get }
  /// The statement that removes `batch`.
  init(_ batch: ExpiryBatch)
}

/// Some rows of a table: those of a moment or an earlier one, and of these so many at most.
public struct ExpiryBatch: Sendable, Hashable {
  let moment: Instant
  let limit: Int64
}

extension ExpiryStatement {
  /// Removes rows that are not to be kept any longer at `now`.
  ///
  /// - Parameter limit: how many at most.
  public init(now: Instant, limit: Int) {
    self.init(ExpiryBatch(moment: now - Self.kept, limit: Int64(limit)))
  }

  /// The moment and the number.
  public func bind(_ p: inout Parameters) {
    p.append(batch.moment)
    p.append(batch.limit)
  }
}
