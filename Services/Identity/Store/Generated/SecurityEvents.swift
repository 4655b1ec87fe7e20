// Made from security_events.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Records a security event, with or without an account.
package struct InsertSecurityEvent: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into security_events (id, account_id, kind, session_id, address, occurred_at)
    select $1, $2, $3, $4, left($5, 100), $6
    where $2::uuid is null or exists (select from accounts where id = $2 for key share)
    """
  package let securityEventID: SecurityEventID
  package let userID: UserID?
  package let kind: SecurityEventKind
  package let sessionID: SessionID?
  package let address: String
  package let now: Instant

  package init(
    securityEventID: SecurityEventID, userID: UserID?, kind: SecurityEventKind, sessionID: SessionID?, address: String,
    now: Instant) {
    self.securityEventID = securityEventID
    self.userID = userID
    self.kind = kind
    self.sessionID = sessionID
    self.address = address
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(securityEventID)
    p.append(userID)
    p.append(kind)
    p.append(sessionID)
    p.append(address)
    p.append(now)
  }
}

/// Removes the security events of an account beyond the latest, some at a time.
package struct DropSurplusSecurityEvents: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from security_events where id in (
      select id from security_events where account_id = $1 order by occurred_at desc offset $2 limit 100
    )
    """
  package let userID: UserID
  package let kept: Int64

  package init(userID: UserID, kept: Int64) {
    self.userID = userID
    self.kept = kept
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kept)
  }
}

/// A page of the security events of an account, or of all, within a time, the latest first ([C-5]).
package struct SecurityEventsBefore: Statement {
  package struct Row: Sendable {
    package let id: SecurityEventID
    package let userID: UserID?
    /// The name of a kind; may be unknown to this version after a downgrade.
    package let kind: String
    package let sessionID: SessionID?
    package let address: String
    package let occurredAt: Instant
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, account_id as user_id, kind, session_id, address, occurred_at from security_events
    where ($1::uuid is null or account_id = $1)
      and ($2::timestamptz is null or occurred_at >= $2) and ($3::timestamptz is null or occurred_at < $3)
      and ($4::timestamptz is null or (occurred_at, id) < ($4, $5::uuid))
    order by occurred_at desc, id desc limit $6
    """
  package let userID: UserID?
  /// Inclusive; `nil` for the beginning.
  package let start: Instant?
  /// Exclusive; `nil` for now.
  package let end: Instant?
  package let before: Instant?
  package let beforeID: SecurityEventID?
  package let limit: Int64

  package init(
    userID: UserID?, start: Instant?, end: Instant?, before: Instant?, beforeID: SecurityEventID?, limit: Int64) {
    self.userID = userID
    self.start = start
    self.end = end
    self.before = before
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(start)
    p.append(end)
    p.append(before)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), userID: try row.next(), kind: try row.next(), sessionID: try row.next(),
      address: try row.next(), occurredAt: try row.next())
  }
}

/// Removes events that are 180 days old.
package struct DeleteOldSecurityEvents: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from security_events where id in (
      select id from security_events where occurred_at <= $1 limit $2 for update skip locked
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
