import Expiry
import Identifiers
import Postgres

/// Claims a request for the transaction; no row when it was answered before. Waits for a transaction that has claimed
/// it.
struct ClaimRequest: Statement {
  typealias Row = UUID7
  // A request older than a day is forgotten, even before the sweep removes it ([C-4]).
  static let sql = """
    insert into replays (caller, method, request_id, created_at) values ($1, $2, $3, $4)
    on conflict on constraint replays_pkey do update set created_at = excluded.created_at
    where replays.created_at <= $5
    returning request_id
    """
  let key: RequestKey
  let now: Instant

  init(_ key: RequestKey, now: Instant) {
    self.key = key
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(now)
    p.append(now - IdempotencyStore.lifetime)
  }
}

/// The stored response of a request, sealed.
struct StoredAnswer: Statement {
  static let sql = """
    select sealed_answer from replays where caller = $1 and method = $2 and request_id = $3 and created_at > $4
    """
  let key: RequestKey
  let now: Instant

  init(_ key: RequestKey, now: Instant) {
    self.key = key
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(now - IdempotencyStore.lifetime)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> [UInt8] { try row.next() }
}

/// Stores the response of a request that the transaction has claimed.
struct StoreAnswer: Statement {
  typealias Row = Void
  static let sql = """
    update replays set sealed_answer = $4 where caller = $1 and method = $2 and request_id = $3
    """
  let key: RequestKey
  let sealedAnswer: [UInt8]

  init(_ key: RequestKey, sealedAnswer: [UInt8]) {
    self.key = key
    self.sealedAnswer = sealedAnswer
  }

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(sealedAnswer)
  }
}

/// Removes some stored responses that have expired.
package struct DeleteExpiredIdempotencyKeys: ExpiryStatement {
  package static let kept = IdempotencyStore.lifetime
  package static let sql = """
    delete from replays where (caller, method, request_id) in (
      select caller, method, request_id from replays where created_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
