// Made from verifications.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The time at which a verification mail was last requested, which is locked; `nil` for the first time.
package struct LockedVerificationRequest: SingleRowStatement {
  package typealias Row = Instant?
  package static let sql = """
    insert into verification_requests (email_hash) values ($1)
    on conflict on constraint verification_requests_pkey do update set email_hash = excluded.email_hash
    returning requested_at
    """
  package let emailHash: [UInt8]

  package init(emailHash: [UInt8]) {
    self.emailHash = emailHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Starts the cooldown of [ID-4].
package struct NoteVerificationRequest: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into verification_requests (email_hash, requested_at) values ($1, $2)
    on conflict on constraint verification_requests_pkey do update set requested_at = excluded.requested_at
    """
  package let emailHash: [UInt8]
  package let now: Instant

  package init(emailHash: [UInt8], now: Instant) {
    self.emailHash = emailHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailHash)
    p.append(now)
  }
}

/// Adds a new token by its hash; it replaces the account's unused ones.
/// The account is locked before its tokens, as in its removal.
package struct InsertVerification: Statement {
  package typealias Row = Void
  package static let sql = """
    with held as (select id from accounts where id = $1 for key share),
      replaced as (
        delete from email_verifications using held where account_id = held.id and used_at is null
      )
    insert into email_verifications (token_hash, account_id, created_at, expires_at)
    values ($2, $1, $3, $4)
    """
  package let userID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant
  package let expiresAt: Instant

  package init(userID: UserID, tokenHash: [UInt8], now: Instant, expiresAt: Instant) {
    self.userID = userID
    self.tokenHash = tokenHash
    self.now = now
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(tokenHash)
    p.append(now)
    p.append(expiresAt)
  }
}

/// What decides on using a token, and what a password for its account is judged against; nothing is locked.
package struct VerificationByHash: SingleRowStatement {
  package struct Row: Sendable {
    package let credentials: Credentials
    package let email: String
    package let registeredAt: Instant
    package let verifiedAt: Instant?
    package let registrationSecretHash: [UInt8]?
    package let issuedAt: Instant
    package let usedAt: Instant?
  }

  package static let sql = """
    select
      id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked, email, accounts.registered_at, accounts.verified_at, accounts.registration_secret_hash,
      token.created_at as issued_at, token.used_at
    from email_verifications as token join accounts on accounts.id = token.account_id
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
      credentials: try Credentials.decode(row), email: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next(), registrationSecretHash: try row.next(), issuedAt: try row.next(),
      usedAt: try row.next())
  }
}

/// Locks the account of a token until the transaction ends; no row if the token does not exist. The account is locked
/// before its tokens, as in its removal.
package struct LockAccountOfVerification: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts
    where id = (select account_id from email_verifications where token_hash = $1)
    for no key update
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What decides on using a token, which is locked, so that it is used once ([ID-4]).
package struct LockedVerification: SingleRowStatement {
  package struct Row: Sendable {
    package let userID: UserID
    package let issuedAt: Instant
    package let usedAt: Instant?
    package let registeredAt: Instant
    package let verifiedAt: Instant?
  }

  package static let sql = """
    select
      token.account_id as user_id, token.created_at as issued_at, token.used_at, accounts.registered_at,
      accounts.verified_at
    from email_verifications as token join accounts on accounts.id = token.account_id
    where token.token_hash = $1 for update of token
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
      userID: try row.next(), issuedAt: try row.next(), usedAt: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next())
  }
}

/// Records that a token was used.
package struct UseVerification: Statement {
  package typealias Row = Void
  package static let sql = """
    update email_verifications set used_at = $1 where token_hash = $2
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
}

/// Verifies an account that is not verified yet, which thereby takes its username ([ID-17]).
///
/// Fails with one of the ``UsernameConstraints`` when another account has the username, or it is reserved. Waits for
/// concurrent verifications with the same username.
package struct VerifyAccount: SingleRowStatement {
  package typealias Row = String
  package static let sql = """
    update accounts set
      verified_at = greatest($1, registered_at), username = coalesce($2, username), registration_secret_hash = null
    where id = $3 and verified_at is null
    returning username
    """
  package let now: Instant
  /// Another username for the account; `nil` for the one that it was registered with.
  package let username: String?
  package let userID: UserID

  package init(now: Instant, username: String?, userID: UserID) {
    self.now = now
    self.username = username
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(username)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes accounts that were never verified and have lapsed ([ID-1]).
package struct DeleteLapsedAccounts: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from accounts where id in (
      select id from accounts where verified_at is null and registered_at <= $1 limit $2 for update skip locked
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

/// Removes verification tokens that expired a week ago or earlier.
///
/// Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
package struct DeleteExpiredVerifications: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from email_verifications where token_hash in (
      select token_hash from email_verifications where expires_at <= $1 limit $2 for update skip locked
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

/// Removes records of requested verification mails whose cooldown is over.
package struct DeleteOldVerificationRequests: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from verification_requests where email_hash in (
      select email_hash from verification_requests where requested_at <= $1 limit $2 for update skip locked
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
