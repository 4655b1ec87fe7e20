// Made from accounts.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The data that a login is checked against.
package struct Credentials: Sendable, RowDecodable {
  package let userID: UserID
  package let username: String
  /// In PHC string format; `nil` for an account without a password.
  package let passwordHash: String?
  package let isVerified: Bool
  /// Incremented with every new password.
  package let passwordRevision: Int64
  /// Whether an operator has locked the account.
  package let isLocked: Bool

  package init(
    userID: UserID, username: String, passwordHash: String?, isVerified: Bool, passwordRevision: Int64,
    isLocked: Bool) {
    self.userID = userID
    self.username = username
    self.passwordHash = passwordHash
    self.isVerified = isVerified
    self.passwordRevision = passwordRevision
    self.isLocked = isLocked
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Credentials {
    Credentials(
      userID: try row.next(), username: try row.next(), passwordHash: try row.next(), isVerified: try row.next(),
      passwordRevision: try row.next(), isLocked: try row.next())
  }
}

/// Removes an unverified account that has lapsed and holds the e-mail address ([ID-1]), and lapsed reservations of the
/// username ([ID-22]) and the address ([ID-15]).
package struct FreeLapsedNames: Statement {
  package typealias Row = Void
  package static let sql = """
    with unreserved as (delete from username_reservations where username_key = $1 and expires_at <= $2),
      freed as (delete from email_reservations where email_key = $3 and expires_at <= $2)
    delete from accounts where email_key = $3 and verified_at is null and registered_at <= $4
    """
  package let usernameKey: String
  package let now: Instant
  package let emailKey: String
  /// Inclusive.
  package let registeredBefore: Instant

  package init(usernameKey: String, now: Instant, emailKey: String, registeredBefore: Instant) {
    self.usernameKey = usernameKey
    self.now = now
    self.emailKey = emailKey
    self.registeredBefore = registeredBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(usernameKey)
    p.append(now)
    p.append(emailKey)
    p.append(registeredBefore)
  }
}

/// Adds an unverified account; returns no row when one of its names is taken. Waits for concurrent registrations of the
/// same address. Others may wait with the same username: the first that is verified gets it ([ID-17]).
///
/// Fails with one of the ``UsernameConstraints`` or ``EmailConstraints`` when the name is reserved ([ID-22], [ID-15]).
package struct InsertAccount: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    insert into accounts (id, email, email_key, username, password_hash, registered_at, registration_secret_hash)
    select $1, $2, $3, $4, $5, $6, $7
    where not exists (
      select from accounts where lower(username) collate "C" = lower($4) collate "C" and verified_at is not null
    )
    on conflict do nothing
    returning id
    """
  package let userID: UserID
  package let email: String
  package let emailKey: String
  package let username: String
  package let passwordHash: String
  package let now: Instant
  package let registrationSecretHash: [UInt8]

  package init(
    userID: UserID, email: String, emailKey: String, username: String, passwordHash: String, now: Instant,
    registrationSecretHash: [UInt8]) {
    self.userID = userID
    self.email = email
    self.emailKey = emailKey
    self.username = username
    self.passwordHash = passwordHash
    self.now = now
    self.registrationSecretHash = registrationSecretHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(email)
    p.append(emailKey)
    p.append(username)
    p.append(passwordHash)
    p.append(now)
    p.append(registrationSecretHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds an account without a password; returns no row when one of its names is taken. Waits for concurrent
/// registrations of the same names.
package struct InsertFederatedAccount: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    insert into accounts (id, email, email_key, username, registered_at, verified_at, registration_secret_hash)
    select $1, $2, $3, $4, $5, $6, $7
    where not exists (
      select from accounts where lower(username) collate "C" = lower($4) collate "C" and verified_at is not null
    )
    on conflict do nothing
    returning id
    """
  package let userID: UserID
  package let email: String
  package let emailKey: String
  package let username: String
  package let now: Instant
  /// `nil` for an address that is not verified yet.
  package let verifiedAt: Instant?
  /// `nil` for an address that is verified.
  package let registrationSecretHash: [UInt8]?

  package init(
    userID: UserID, email: String, emailKey: String, username: String, now: Instant, verifiedAt: Instant?,
    registrationSecretHash: [UInt8]?) {
    self.userID = userID
    self.email = email
    self.emailKey = emailKey
    self.username = username
    self.now = now
    self.verifiedAt = verifiedAt
    self.registrationSecretHash = registrationSecretHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(email)
    p.append(emailKey)
    p.append(username)
    p.append(now)
    p.append(verifiedAt)
    p.append(registrationSecretHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Which of two names is taken: an address by an account that has not lapsed or a reservation, a username by a verified
/// account or a reservation ([ID-15], [ID-17], [ID-22]).
package struct TakenNames: SingleRowStatement {
  package struct Row: Sendable {
    package let email: Bool
    package let username: Bool
  }

  package static let sql = """
    select
      exists (
        select from accounts where email_key = $1 and (verified_at is not null or registered_at > $2)
      ) or exists (
        select from email_reservations where email_key = $1 and expires_at > $3
      ) as email,
      exists (
        select from accounts
        where lower(username) collate "C" = $4 and verified_at is not null
      ) or exists (
        select from username_reservations where username_key = $4 and expires_at > $3
      ) as username
    """
  package let emailKey: String
  package let registeredAfter: Instant
  package let now: Instant
  package let usernameKey: String

  package init(emailKey: String, registeredAfter: Instant, now: Instant, usernameKey: String) {
    self.emailKey = emailKey
    self.registeredAfter = registeredAfter
    self.now = now
    self.usernameKey = usernameKey
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailKey)
    p.append(registeredAfter)
    p.append(now)
    p.append(usernameKey)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(email: try row.next(), username: try row.next())
  }
}

/// Selects the credentials of an account.
package struct CredentialsByID: SingleRowStatement {
  package typealias Row = Credentials
  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked from accounts where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try Credentials.decode(row)
  }
}

/// Selects the credentials of the account with an e-mail address, unless it has lapsed.
package struct CredentialsByEmail: SingleRowStatement {
  package typealias Row = Credentials
  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked from accounts
    where email_key = $1 and (verified_at is not null or registered_at > $2)
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
    try Credentials.decode(row)
  }
}

/// Selects the credentials of the account with a username: the verified one, or else the one that has waited longest and
/// has not lapsed.
package struct CredentialsByUsername: SingleRowStatement {
  package typealias Row = Credentials
  package static let sql = """
    select id as user_id, username, password_hash, verified_at is not null as is_verified, password_revision,
    locked_at is not null as is_locked from accounts
    where lower(username) collate "C" = $1 and (verified_at is not null or registered_at > $2)
    order by verified_at is null, registered_at, id limit 1
    """
  package let usernameKey: String
  package let registeredAfter: Instant

  package init(usernameKey: String, registeredAfter: Instant) {
    self.usernameKey = usernameKey
    self.registeredAfter = registeredAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(usernameKey)
    p.append(registeredAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try Credentials.decode(row)
  }
}

/// Replaces a password hash by one with other parameters, unless the password was changed meanwhile.
package struct ReplacePasswordHash: Statement {
  package typealias Row = Void
  package static let sql = """
    update accounts set password_hash = $1 where id = $2 and password_hash = $3
    """
  package let newHash: String
  package let userID: UserID
  package let oldHash: String

  package init(newHash: String, userID: UserID, oldHash: String) {
    self.newHash = newHash
    self.userID = userID
    self.oldHash = oldHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(newHash)
    p.append(userID)
    p.append(oldHash)
  }
}

/// Selects the unverified account with an e-mail address, unless it has lapsed.
package struct UnverifiedAccount: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where email_key = $1 and verified_at is null and registered_at > $2
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
