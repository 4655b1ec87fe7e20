// Made from passwords.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Keeps a password from being replaced, and its account from being locked, until the transaction ends; no row if either
/// has happened, or the account was deleted. Logins to one account run one after the other, so that its remembered
/// devices are counted right.
package struct HoldPassword: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts
    where id = $1 and password_revision = $2 and locked_at is null
    for no key update
    """
  package let userID: UserID
  package let passwordRevision: Int64

  package init(userID: UserID, passwordRevision: Int64) {
    self.userID = userID
    self.passwordRevision = passwordRevision
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(passwordRevision)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Keeps an account from being locked or deleted until the transaction ends, and returns whether an operator has locked
/// it; no row if it was deleted.
package struct HoldAccount: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select locked_at is not null as is_locked from accounts where id = $1 for no key update
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks an account whose password is to be replaced until the transaction ends; no row if the password was changed
/// meanwhile.
package struct LockPassword: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where id = $1 and password_revision = $2 for no key update
    """
  package let userID: UserID
  package let passwordRevision: Int64

  package init(userID: UserID, passwordRevision: Int64) {
    self.userID = userID
    self.passwordRevision = passwordRevision
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(passwordRevision)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Replaces an account's password if it is still the one that was checked; no row if it is not.
///
/// All unused reset tokens of the account are removed. A transaction that uses a reset token locks the account first,
/// as this statement does.
package struct ReplacePassword: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    with replaced as (
      update accounts set password_hash = $1, password_revision = password_revision + 1
      where id = $2 and password_revision = $3
      returning id
    ), moot as (
      delete from password_resets using replaced where account_id = replaced.id and used_at is null
    )
    select id from replaced
    """
  package let passwordHash: String
  package let userID: UserID
  package let passwordRevision: Int64

  package init(passwordHash: String, userID: UserID, passwordRevision: Int64) {
    self.passwordHash = passwordHash
    self.userID = userID
    self.passwordRevision = passwordRevision
  }

  package func bind(_ p: inout Parameters) {
    p.append(passwordHash)
    p.append(userID)
    p.append(passwordRevision)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The names that an account's new password is judged against, and the credentials that show whether the old one is
/// unchanged.
package struct NamesByID: SingleRowStatement {
  package struct Row: Sendable {
    package let credentials: Credentials
    package let email: String
  }

  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked, email from accounts where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(credentials: try Credentials.decode(row), email: try row.next())
  }
}

/// The account with an e-mail address, unless it has lapsed.
package struct AccountByEmail: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where email_key = $1 and (verified_at is not null or registered_at > $2)
    """
  package let emailKey: String
  package let registeredAfter: Instant

  package init(emailKey: String, registeredAfter: Instant) {
    self.emailKey = emailKey
    self.registeredAfter = registeredAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailKey)
    p.append(registeredAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds a new reset token by its hash, for a mail to an address; it replaces the account's previous one. No row if the
/// account has another address by now: a token that is on its way to an address must not outlive its change ([ID-15]).
package struct InsertReset: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    insert into password_resets (token_hash, account_id, created_at, expires_at)
    select $1, id, $2, $3 from accounts where id = $4 and email = $5 for share
    on conflict (account_id) where used_at is null do update
    set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning account_id
    """
  package let tokenHash: [UInt8]
  package let now: Instant
  package let expiresAt: Instant
  package let userID: UserID
  package let email: String

  package init(tokenHash: [UInt8], now: Instant, expiresAt: Instant, userID: UserID, email: String) {
    self.tokenHash = tokenHash
    self.now = now
    self.expiresAt = expiresAt
    self.userID = userID
    self.email = email
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
    p.append(expiresAt)
    p.append(userID)
    p.append(email)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What decides on using a reset token, and what the new password is judged against.
package struct ResetByHash: SingleRowStatement {
  package struct Row: Sendable {
    package let credentials: Credentials
    package let email: String
    package let issuedAt: Instant
    package let usedAt: Instant?
  }

  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked, email, token.created_at as issued_at, token.used_at
    from password_resets as token join accounts on accounts.id = token.account_id
    where token.token_hash = $1
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      credentials: try Credentials.decode(row), email: try row.next(), issuedAt: try row.next(), usedAt: try row.next())
  }
}

/// Records that a reset token is used; no row if it was used or replaced before.
package struct UseReset: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    update password_resets set used_at = $1 where token_hash = $2 and used_at is null returning account_id
    """
  package let now: Instant
  package let tokenHash: [UInt8]

  package init(now: Instant, tokenHash: [UInt8]) {
    self.now = now
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes reset tokens that expired a week ago or earlier.
///
/// Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
package struct DeleteExpiredResets: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from password_resets where token_hash in (
      select token_hash from password_resets where expires_at <= $1 limit $2 for update skip locked
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

/// The approximate number of accounts from the database's statistics; negative if there are none.
package struct EstimatedAccounts: SingleRowStatement {
  package typealias Row = Double
  package static let sql = """
    select reltuples::double precision as accounts from pg_class where oid = 'accounts'::regclass
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The number of password hashes with the same parameters, in a sample of accounts.
package struct PasswordParameterCounts: Statement {
  package struct Row: Sendable {
    /// In the form of a PHC string.
    package let parameters: String
    package let count: Int64
  }

  package static let sql = """
    select split_part(password_hash, '$', 3) as parameters, count(*) as count
    from accounts tablesample system (($1::double precision)::real)
    where password_hash is not null group by 1 order by 2 desc limit 16
    """
  /// The sampled share of the table's pages.
  package let percent: Double

  package init(percent: Double) {
    self.percent = percent
  }

  package func bind(_ p: inout Parameters) {
    p.append(percent)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(parameters: try row.next(), count: try row.next())
  }
}
