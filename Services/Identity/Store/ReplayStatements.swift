import Identifiers
import Postgres

/// What makes two calls the same request ([C-4]).
package struct RequestKey: Sendable, Hashable, CustomStringConvertible {
  /// The account's id; empty for a caller who is not logged in.
  package let caller: String
  /// The method's full name.
  package let method: String
  /// The client's id for the call.
  package let requestID: UUID7

  package init(caller: String, method: String, requestID: UUID7) {
    self.caller = caller
    self.method = method
    self.requestID = requestID
  }

  /// What a sealed answer is bound to.
  package var description: String { "\(caller) \(method) \(requestID)" }

  func bind(_ p: inout Parameters) {
    p.append(caller)
    p.append(method)
    p.append(requestID)
  }
}

/// Claims a request for the transaction; no row when it was answered before, for which it waits for one under way.
package struct ClaimRequest: Statement {
  // A request older than a day is forgotten, whether or not the sweep came by ([C-4]).
  package static let sql = """
    insert into replays (caller, method, request_id, created_at) values ($1, $2, $3, $4)
    on conflict on constraint replays_pkey do update set created_at = excluded.created_at
    where replays.created_at <= $5
    returning request_id
    """
  let key: RequestKey
  let now: Instant

  package init(_ key: RequestKey, now: Instant) {
    self.key = key
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(now)
    p.append(now - Replays.lifetime)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> UUID7 { try row.next() }
}

/// The answer that a request was given, sealed.
package struct StoredAnswer: Statement {
  package static let sql = """
    select sealed_answer from replays where caller = $1 and method = $2 and request_id = $3 and created_at > $4
    """
  let key: RequestKey
  let now: Instant

  package init(_ key: RequestKey, now: Instant) {
    self.key = key
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(now - Replays.lifetime)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> [UInt8] { try row.next() }
}

/// Keeps the answer of a request that the transaction claimed.
package struct StoreAnswer: Statement {
  package typealias Row = Void
  package static let sql = """
    update replays set sealed_answer = $4 where caller = $1 and method = $2 and request_id = $3
    """
  let key: RequestKey
  let sealedAnswer: [UInt8]

  package init(_ key: RequestKey, sealedAnswer: [UInt8]) {
    self.key = key
    self.sealedAnswer = sealedAnswer
  }

  package func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(sealedAnswer)
  }
}

/// How long first answers are kept.
package enum Replays {
  /// [C-4].
  package static let lifetime: Duration = .seconds(24 * 3_600)
}
