// Made from throttles.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

package struct ThrottleColumns: Sendable {
  package let kind: ThrottleKind
  package let subject: [UInt8]
  package let attempts: [Instant]
  package let lockedUntil: Instant?
  package let locks: Int16
  package let emptyAt: Instant?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ThrottleColumns {
    ThrottleColumns(
      kind: try row.next(), subject: try row.next(), attempts: try row.next(), lockedUntil: try row.next(),
      locks: try row.next(), emptyAt: try row.next())
  }
}

/// The existing records of some keys.
package struct ThrottlesOf: Statement {
  package typealias Row = StoredThrottle
  package static let sql = """
    select kind, subject, attempts, locked_until, locks, empty_at from throttles
    where (kind, subject) in (select * from unnest($1::text [], $2::bytea []))
    """
  package let kinds: [ThrottleKind]
  package let subjects: [[UInt8]]

  package init(kinds: [ThrottleKind], subjects: [[UInt8]]) {
    self.kinds = kinds
    self.subjects = subjects
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(subjects)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredThrottle(ThrottleColumns.decode(row))
  }
}

/// The existing records of some keys, which are locked in a fixed order until the transaction ends.
package struct LockedThrottles: Statement {
  package typealias Row = StoredThrottle
  package static let sql = """
    select kind, subject, attempts, locked_until, locks, empty_at from throttles
    where (kind, subject) in (select * from unnest($1::text [], $2::bytea [])) order by kind, subject for update
    """
  package let kinds: [ThrottleKind]
  package let subjects: [[UInt8]]

  package init(kinds: [ThrottleKind], subjects: [[UInt8]]) {
    self.kinds = kinds
    self.subjects = subjects
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(subjects)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredThrottle(ThrottleColumns.decode(row))
  }
}

/// The records of some keys, of which missing ones are created, locked in a fixed order until the transaction ends.
package struct LockThrottles: Statement {
  package typealias Row = StoredThrottle
  package static let sql = """
    insert into throttles (kind, subject, expires_at)
    select kind, subject, $1 from unnest($2::text [], $3::bytea []) as wanted (kind, subject)
    order by kind, subject
    on conflict on constraint throttles_pkey do update set subject = excluded.subject
    returning kind, subject, attempts, locked_until, locks, empty_at
    """
  package let now: Instant
  package let kinds: [ThrottleKind]
  package let subjects: [[UInt8]]

  package init(now: Instant, kinds: [ThrottleKind], subjects: [[UInt8]]) {
    self.now = now
    self.kinds = kinds
    self.subjects = subjects
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(kinds)
    p.append(subjects)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredThrottle(ThrottleColumns.decode(row))
  }
}

/// Replaces the record of a key that the transaction has locked.
package struct StoreThrottle: Statement {
  package typealias Row = Void
  package static let sql = """
    update throttles
    set attempts = $1, locked_until = $2, locks = $3, expires_at = $4,
      empty_at = $5
    where kind = $6 and subject = $7
    """
  package let attempts: [Instant]
  package let lockedUntil: Instant?
  package let locks: Int16
  package let expiresAt: Instant
  package let emptyAt: Instant?
  package let kind: ThrottleKind
  package let subject: [UInt8]

  package init(
    attempts: [Instant], lockedUntil: Instant?, locks: Int16, expiresAt: Instant, emptyAt: Instant?, kind: ThrottleKind,
    subject: [UInt8]) {
    self.attempts = attempts
    self.lockedUntil = lockedUntil
    self.locks = locks
    self.expiresAt = expiresAt
    self.emptyAt = emptyAt
    self.kind = kind
    self.subject = subject
  }

  package func bind(_ p: inout Parameters) {
    p.append(attempts)
    p.append(lockedUntil)
    p.append(locks)
    p.append(expiresAt)
    p.append(emptyAt)
    p.append(kind)
    p.append(subject)
  }
}

/// Removes the record of a key.
package struct ForgetThrottle: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from throttles where kind = $1 and subject = $2
    """
  package let kind: ThrottleKind
  package let subject: [UInt8]

  package init(kind: ThrottleKind, subject: [UInt8]) {
    self.kind = kind
    self.subject = subject
  }

  package func bind(_ p: inout Parameters) {
    p.append(kind)
    p.append(subject)
  }
}

/// Removes records that have expired.
package struct DeleteExpiredThrottles: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from throttles where (kind, subject) in (
      select kind, subject from throttles where expires_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
