import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// The kind and the subject of a throttle.
package struct ThrottleKey: Sendable, Hashable {
  package let kind: ThrottleKind
  /// The SHA-256 of the subject.
  package let subject: [UInt8]

  package init(_ kind: ThrottleKind, subject: [UInt8]) {
    self.kind = kind
    self.subject = subject
  }
}

package struct StoredThrottle: RowDecodable {
  package let key: ThrottleKey
  package let record: ThrottleRecord

  static let columns = "kind, subject, attempts, locked_until, locks, empty_at"

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredThrottle {
    let name: String = try row.next()
    guard let kind = ThrottleKind(rawValue: name) else { throw ColumnError("\(name) is not throttled") }
    let key = ThrottleKey(kind, subject: try row.next())
    let (attempts, lockedUntil, locks): ([Instant], Instant?, Int16) = (try row.next(), try row.next(), try row.next())
    let record = ThrottleRecord(
      attempts: attempts, lockedUntil: lockedUntil, locks: Int(locks), emptyAt: try row.next())
    return StoredThrottle(key: key, record: record)
  }
}

/// Selects the existing records of some keys.
package struct ThrottlesOf: Statement {
  package typealias Row = StoredThrottle
  package static let sql = """
    select \(StoredThrottle.columns) from throttles
    where (kind, subject) in (select * from unnest($1::text [], $2::bytea []))
    """
  let keys: [ThrottleKey]

  package init(_ keys: [ThrottleKey]) { self.keys = keys }

  package func bind(_ p: inout Parameters) {
    p.append(keys.map(\.kind.rawValue))
    p.append(keys.map(\.subject))
  }
}

/// Selects the existing records of some keys and locks them in a fixed order until the transaction ends.
package struct LockedThrottles: Statement {
  package typealias Row = StoredThrottle
  package static let sql = "\(ThrottlesOf.sql) order by kind, subject for update"
  let keys: [ThrottleKey]

  package init(_ keys: [ThrottleKey]) { self.keys = keys }

  package func bind(_ p: inout Parameters) { ThrottlesOf(keys).bind(&p) }
}

/// Selects the records of some keys, creating missing ones, and locks them in a fixed order until the transaction ends.
package struct LockThrottles: Statement {
  package typealias Row = StoredThrottle
  // The update changes nothing: it locks an existing row, as the insert locks a new one.
  package static let sql = """
    insert into throttles (kind, subject, expires_at)
    select kind, subject, $3 from unnest($1::text [], $2::bytea []) as wanted (kind, subject) order by kind, subject
    on conflict on constraint throttles_pkey do update set subject = excluded.subject
    returning \(StoredThrottle.columns)
    """
  let keys: [ThrottleKey]
  let now: Instant

  package init(_ keys: [ThrottleKey], now: Instant) {
    self.keys = keys
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    ThrottlesOf(keys).bind(&p)
    p.append(now)
  }
}

/// Replaces the record of a key that the transaction has locked.
package struct StoreThrottle: Statement {
  package typealias Row = Void
  package static let sql = """
    update throttles set attempts = $3, locked_until = $4, locks = $5, expires_at = $6, empty_at = $7
    where kind = $1 and subject = $2
    """
  let key: ThrottleKey
  let record: ThrottleRecord
  let expiresAt: Instant

  package init(_ key: ThrottleKey, _ record: ThrottleRecord, expiresAt: Instant) {
    self.key = key
    self.record = record
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(key.kind.rawValue)
    p.append(key.subject)
    p.append(record.attempts)
    p.append(record.lockedUntil)
    p.append(Int16(record.locks))
    p.append(expiresAt)
    p.append(record.emptyAt)
  }
}

/// Removes the record of a key.
package struct ForgetThrottle: Statement {
  package typealias Row = Void
  package static let sql = "delete from throttles where kind = $1 and subject = $2"
  let key: ThrottleKey

  package init(_ key: ThrottleKey) { self.key = key }

  package func bind(_ p: inout Parameters) {
    p.append(key.kind.rawValue)
    p.append(key.subject)
  }
}

/// Removes records that have expired.
package struct DeleteExpiredThrottles: ExpiryStatement {
  package static let kept = Duration.zero
  package static let sql = """
    delete from throttles where (kind, subject) in (
      select kind, subject from throttles where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
