import IdentityDomain
import Identifiers
import Postgres

/// A session in its owner's list.
package struct StoredSession: Sendable {
  package let id: SessionID
  /// The client's label of the device; may be empty.
  package let deviceLabel: String
  /// The client's address at the last use, without its port.
  package let address: String
  package let createdAt: Instant
  package let lastUsedAt: Instant
  package let expiresAt: Instant
}

/// Selects a page of an account's sessions that have neither ended nor expired, the latest login first ([C-5]).
package struct SessionsBefore: Statement {
  // Ordered by login, because the time of the last use changes while a client reads further pages.
  package static let sql = """
    select id, device_label, address, created_at, last_used_at, expires_at from sessions
    where account_id = $1 and revoked_at is null and expires_at > $2
      and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
    order by created_at desc, id desc limit $5
    """
  let userID: UserID
  let now: Instant
  let before: (Instant, SessionID)?
  let limit: Int64

  package init(of userID: UserID, before: (Instant, SessionID)?, limit: Int64, now: Instant) {
    self.userID = userID
    self.before = before
    self.limit = limit
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSession {
    StoredSession(
      id: try row.next(), deviceLabel: try row.next(), address: try row.next(), createdAt: try row.next(),
      lastUsedAt: try row.next(), expiresAt: try row.next())
  }
}
