// Made from user_records.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// An account as operators see it.
package struct UserRecord: Sendable, RowDecodable {
  package let id: UserID
  package let username: String
  package let email: String
  package let registeredAt: Instant
  package let verifiedAt: Instant?
  /// When an operator locked it; `nil` if it is not locked.
  package let lockedAt: Instant?
  /// Sessions that have neither ended nor expired.
  package let sessions: Int32
  package let lastUsedAt: Instant?

  package init(
    id: UserID, username: String, email: String, registeredAt: Instant, verifiedAt: Instant?, lockedAt: Instant?,
    sessions: Int32, lastUsedAt: Instant?) {
    self.id = id
    self.username = username
    self.email = email
    self.registeredAt = registeredAt
    self.verifiedAt = verifiedAt
    self.lockedAt = lockedAt
    self.sessions = sessions
    self.lastUsedAt = lastUsedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> UserRecord {
    UserRecord(
      id: try row.next(), username: try row.next(), email: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next(), lockedAt: try row.next(), sessions: try row.next(), lastUsedAt: try row.next())
  }
}

/// An account by its id.
package struct UserByID: SingleRowStatement {
  package typealias Row = UserRecord
  package static let sql = """
    select accounts.id, accounts.username, accounts.email, accounts.registered_at, accounts.verified_at, accounts.locked_at,
    (
      select count(*)::integer from sessions
      where sessions.account_id = accounts.id and sessions.revoked_at is null and sessions.expires_at > $1
    ) as sessions,
    (select max(sessions.last_used_at) from sessions where sessions.account_id = accounts.id) as last_used_at from accounts where accounts.id = $2
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try UserRecord.decode(row)
  }
}

/// The account with an e-mail address, verified or not.
package struct UserByEmail: SingleRowStatement {
  package typealias Row = UserRecord
  package static let sql = """
    select accounts.id, accounts.username, accounts.email, accounts.registered_at, accounts.verified_at, accounts.locked_at,
    (
      select count(*)::integer from sessions
      where sessions.account_id = accounts.id and sessions.revoked_at is null and sessions.expires_at > $1
    ) as sessions,
    (select max(sessions.last_used_at) from sessions where sessions.account_id = accounts.id) as last_used_at from accounts where accounts.email_key = $2
    """
  package let now: Instant
  package let emailKey: String

  package init(now: Instant, emailKey: String) {
    self.now = now
    self.emailKey = emailKey
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(emailKey)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try UserRecord.decode(row)
  }
}

/// A page of the accounts whose usernames begin with a text, in their order ([C-5]).
package struct UsersByPrefix: Statement {
  package typealias Row = UserRecord
  package static let pace = Pace.slow
  package static let sql = """
    select accounts.id, accounts.username, accounts.email, accounts.registered_at, accounts.verified_at, accounts.locked_at,
    (
      select count(*)::integer from sessions
      where sessions.account_id = accounts.id and sessions.revoked_at is null and sessions.expires_at > $1
    ) as sessions,
    (select max(sessions.last_used_at) from sessions where sessions.account_id = accounts.id) as last_used_at from accounts
    where lower(accounts.username) collate "C" >= $2 and lower(accounts.username) collate "C" < $2 || '{'
      and (lower(accounts.username) collate "C", accounts.id)
        > ($3, coalesce($4, '00000000-0000-0000-0000-000000000000'::uuid))
    order by lower(accounts.username) collate "C", accounts.id limit $5
    """
  package let now: Instant
  package let prefix: String
  /// The last username of the previous page, in lower case; empty for the first page.
  package let after: String
  /// Its account; several that are not verified may have the same username.
  package let afterID: UserID?
  package let limit: Int64

  package init(now: Instant, prefix: String, after: String, afterID: UserID?, limit: Int64) {
    self.now = now
    self.prefix = prefix
    self.after = after
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(prefix)
    p.append(after)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try UserRecord.decode(row)
  }
}

/// Locks or unlocks an account; no row if there is none, or it is in that state already.
package struct SetAccountLock: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    update accounts set locked_at = $1
    where id = $2 and (locked_at is null) <> ($1::timestamptz is null)
    returning id
    """
  /// `nil` unlocks.
  package let lockedAt: Instant?
  package let userID: UserID

  package init(lockedAt: Instant?, userID: UserID) {
    self.lockedAt = lockedAt
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(lockedAt)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
