// Made from replays.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Claims a request for the transaction; no row when it was answered before. Waits for a transaction that has claimed it.
/// A request older than a day is forgotten, even before the sweep removes it ([C-4]).
struct ClaimRequest: SingleRowStatement {
  typealias Row = UUID7
  static let sql = """
    insert into replays (caller, method, request_id, created_at) values ($1, $2, $3, $4)
    on conflict on constraint replays_pkey do update set created_at = excluded.created_at
    where replays.created_at <= $5
    returning request_id
    """
  let caller: String
  let method: String
  let requestID: UUID7
  let now: Instant
  /// Responses of this time and before have expired.
  let expiredAt: Instant

  init(caller: String, method: String, requestID: UUID7, now: Instant, expiredAt: Instant) {
    self.caller = caller
    self.method = method
    self.requestID = requestID
    self.now = now
    self.expiredAt = expiredAt
  }

  func bind(_ p: inout Parameters) {
    p.append(caller)
    p.append(method)
    p.append(requestID)
    p.append(now)
    p.append(expiredAt)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The stored response of a request, sealed.
struct StoredAnswer: SingleRowStatement {
  typealias Row = [UInt8]
  static let sql = """
    select sealed_answer from replays
    where caller = $1 and method = $2 and request_id = $3 and created_at > $4
    """
  let caller: String
  let method: String
  let requestID: UUID7
  /// Responses of this time and before have expired.
  let expiredAt: Instant

  init(caller: String, method: String, requestID: UUID7, expiredAt: Instant) {
    self.caller = caller
    self.method = method
    self.requestID = requestID
    self.expiredAt = expiredAt
  }

  func bind(_ p: inout Parameters) {
    p.append(caller)
    p.append(method)
    p.append(requestID)
    p.append(expiredAt)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores the response of a request that the transaction has claimed.
struct StoreAnswer: Statement {
  typealias Row = Void
  static let sql = """
    update replays set sealed_answer = $1
    where caller = $2 and method = $3 and request_id = $4
    """
  let sealedAnswer: [UInt8]
  let caller: String
  let method: String
  let requestID: UUID7

  init(sealedAnswer: [UInt8], caller: String, method: String, requestID: UUID7) {
    self.sealedAnswer = sealedAnswer
    self.caller = caller
    self.method = method
    self.requestID = requestID
  }

  func bind(_ p: inout Parameters) {
    p.append(sealedAnswer)
    p.append(caller)
    p.append(method)
    p.append(requestID)
  }
}

/// Removes some stored responses that have expired.
public struct DeleteExpiredIdempotencyKeys: Statement {
  public typealias Row = Int32
  public static let sql = """
    delete from replays where (caller, method, request_id) in (
      select caller, method, request_id from replays where created_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  public let moment: Instant
  public let limit: Int64

  public init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  public func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
