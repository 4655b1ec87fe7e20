import IdentityDomain
import Identifiers
import Postgres

/// An account as operators see it.
package struct UserRecord: RowDecodable {
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

  /// The parameter `$1` is the current time.
  static let columns = """
    accounts.id, accounts.username, accounts.email, accounts.registered_at, accounts.verified_at, accounts.locked_at,
    (
      select count(*)::integer from sessions
      where sessions.account_id = accounts.id and sessions.revoked_at is null and sessions.expires_at > $1
    ),
    (select max(sessions.last_used_at) from sessions where sessions.account_id = accounts.id)
    """

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> UserRecord {
    UserRecord(
      id: try row.next(), username: try row.next(), email: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next(), lockedAt: try row.next(), sessions: try row.next(), lastUsedAt: try row.next())
  }
}

/// Selects an account by its id.
package struct UserByID: Statement {
  package typealias Row = UserRecord
  package static let sql = "select \(UserRecord.columns) from accounts where accounts.id = $2"
  let id: UserID
  let now: Instant

  package init(_ id: UserID, now: Instant) {
    self.id = id
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(id)
  }
}

/// Selects the account with an e-mail address, verified or not.
package struct UserByEmail: Statement {
  package typealias Row = UserRecord
  package static let sql = "select \(UserRecord.columns) from accounts where accounts.email_key = $2"
  let email: EmailAddress
  let now: Instant

  package init(_ email: EmailAddress, now: Instant) {
    self.email = email
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(email.key)
  }
}

/// Selects a page of the accounts whose usernames begin with a text, in their order ([C-5]).
package struct UsersByPrefix: Statement {
  package static let pace = Pace.slow
  package typealias Row = UserRecord
  // A brace sorts after every character of a username.
  package static let sql = """
    select \(UserRecord.columns) from accounts
    where lower(accounts.username) collate "C" >= $2 and lower(accounts.username) collate "C" < $2 || '{'
      and lower(accounts.username) collate "C" > $3
    order by lower(accounts.username) collate "C" limit $4
    """
  let prefix: UsernamePrefix
  let after: String
  let limit: Int64
  let now: Instant

  package init(_ prefix: UsernamePrefix, after: String, limit: Int64, now: Instant) {
    self.prefix = prefix
    self.after = after
    self.limit = limit
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(prefix.key)
    p.append(after)
    p.append(limit)
  }
}

/// Locks or unlocks an account; returns no row when there is none, or it is in that state already.
package struct SetAccountLock: Statement {
  package typealias Row = UserID
  package static let sql = """
    update accounts set locked_at = $2 where id = $1 and (locked_at is null) <> ($2::timestamptz is null) returning id
    """
  let id: UserID
  let lockedAt: Instant?

  /// - Parameter lockedAt: `nil` unlocks.
  package init(_ id: UserID, lockedAt: Instant?) {
    self.id = id
    self.lockedAt = lockedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(lockedAt)
  }
}
