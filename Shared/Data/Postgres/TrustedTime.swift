public import Identifiers

/// The present by a replica's clock, or by the database's where the replica's is ahead: what has consequences for users
/// does not come before its time because one machine's clock is wrong.
///
/// A clock that is behind only has things come later, which another replica makes up for. A job that is due by a
/// replica's clock alone schedules itself again: see `JobRun.isEarly(at:)`.
public struct TrustedTime: SingleRowStatement {
  public typealias Row = Instant
  public static let sql = "select least($1::timestamptz, clock_timestamp()) as moment"
  private let now: Instant

  /// - Parameter now: the present by the replica's clock.
  public init(now: Instant) { self.now = now }

  public func bind(_ p: inout Parameters) { p.append(now) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Instant { try row.next() }
}

extension Transaction {
  /// The present; see ``TrustedTime``.
  public func trusted(_ now: Instant) async throws -> Instant { try await first(TrustedTime(now: now)) ?? now }
}

extension Database {
  /// The present; see ``TrustedTime``.
  public nonisolated(nonsending) func trusted(_ now: Instant) async throws -> Instant {
    try await first(TrustedTime(now: now)) ?? now
  }
}
