import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// Records a security event, with or without an account.
package struct InsertSecurityEvent: Statement {
  package typealias Row = Void
  // The account may have been deleted since it was looked up; then nothing is recorded.
  package static let sql = """
    insert into security_events (id, account_id, kind, session_id, address, occurred_at)
    select $1, $2, $3, $4, left($5, 100), $6
    where $2::uuid is null or exists (select from accounts where id = $2 for key share)
    """
  let id: SecurityEventID
  let kind: SecurityEventKind
  let userID: UserID?
  let sessionID: SessionID?
  let address: String
  let now: Instant

  package init(
    _ kind: SecurityEventKind, id: SecurityEventID, of userID: UserID?, session: SessionID? = nil,
    from address: String, now: Instant
  ) {
    self.kind = kind
    self.id = id
    self.userID = userID
    sessionID = session
    self.address = address
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(kind.rawValue)
    p.append(sessionID)
    p.append(address)
    p.append(now)
  }
}

/// A stored security event.
package struct StoredSecurityEvent: Sendable {
  package let id: SecurityEventID
  package let userID: UserID?
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let sessionID: SessionID?
  package let address: String
  package let occurredAt: Instant
}

/// Selects a page of the security events of an account, or of all, within a time, the latest first ([C-5]).
package struct SecurityEventsBefore: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select id, account_id, kind, session_id, address, occurred_at from security_events
    where ($1::uuid is null or account_id = $1)
      and ($2::timestamptz is null or occurred_at >= $2) and ($3::timestamptz is null or occurred_at < $3)
      and ($4::timestamptz is null or (occurred_at, id) < ($4, $5::uuid))
    order by occurred_at desc, id desc limit $6
    """
  let userID: UserID?
  let start: Instant?
  let end: Instant?
  let before: (Instant, SecurityEventID)?
  let limit: Int64

  /// - Parameters:
  ///   - start: inclusive; `nil` for the beginning.
  ///   - end: exclusive; `nil` for now.
  package init(
    of userID: UserID?, from start: Instant?, to end: Instant?, before: (Instant, SecurityEventID)?, limit: Int64
  ) {
    self.userID = userID
    self.start = start
    self.end = end
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(start)
    p.append(end)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSecurityEvent {
    StoredSecurityEvent(
      id: try row.next(), userID: try row.next(), kind: try row.next(), sessionID: try row.next(),
      address: try row.next(), occurredAt: try row.next())
  }
}

/// Removes events that are 180 days old.
package struct DeleteOldSecurityEvents: ExpiryStatement {
  package static let kept = Lifetimes.securityEvent
  package static let sql = """
    delete from security_events where id in (
      select id from security_events where occurred_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
