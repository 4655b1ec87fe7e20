import IdentityDomain
import Identifiers
import Postgres

/// Removes unverified accounts that have lapsed and hold one of the two names ([ID-1]), and a lapsed reservation of the
/// username ([ID-22]).
package struct FreeLapsedNames: Statement {
  package typealias Row = Void
  // Rows are locked in a fixed order, so that two registrations cannot deadlock.
  package static let sql = """
    with unreserved as (delete from username_reservations where username_key = $2 and expires_at <= $4)
    delete from accounts where id in (
      select id from accounts
      where (email_key = $1 or lower(username) collate "C" = $2) and verified_at is null and registered_at <= $3
      order by id for update
    )
    """
  let email: EmailAddress
  let username: Username
  let now: Instant

  package init(email: EmailAddress, username: Username, now: Instant) {
    self.email = email
    self.username = username
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(email.key)
    p.append(username.key)
    p.append(now - Lifetimes.unverifiedAccount)
    p.append(now)
  }
}

/// Adds an unverified account; returns no row when one of its names is taken. Waits for concurrent registrations of the
/// same names.
///
/// Fails with one of the ``UsernameConstraints`` when the username was given up, and thereby reserved, while it waited
/// ([ID-22]).
package struct InsertAccount: Statement {
  package typealias Row = UserID
  package static let sql = """
    insert into accounts (id, email, email_key, username, password_hash, registered_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict do nothing
    returning id
    """
  let id: UserID
  let email: EmailAddress
  let username: Username
  let passwordHash: String
  let now: Instant

  package init(id: UserID, email: EmailAddress, username: Username, passwordHash: String, now: Instant) {
    self.id = id
    self.email = email
    self.username = username
    self.passwordHash = passwordHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(email.spelling)
    p.append(email.key)
    p.append(username.spelling)
    p.append(passwordHash)
    p.append(now)
  }
}

/// Which of two names is taken: held by an account that has not lapsed, or reserved ([ID-22]).
package struct TakenNames: Statement {
  /// `true` for a name that is taken.
  package typealias Row = (email: Bool, username: Bool)
  package static let sql = """
    select
      exists (select from accounts where email_key = $1 and (verified_at is not null or registered_at > $3)),
      exists (
        select from accounts
        where lower(username) collate "C" = $2 and (verified_at is not null or registered_at > $3)
      ) or exists (select from username_reservations where username_key = $2 and expires_at > $4)
    """
  let email: EmailAddress
  let username: Username
  let now: Instant

  package init(email: EmailAddress, username: Username, now: Instant) {
    self.email = email
    self.username = username
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(email.key)
    p.append(username.key)
    p.append(now - Lifetimes.unverifiedAccount)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (email: try row.next(), username: try row.next())
  }
}

/// The data that a login is checked against.
package struct Credentials: RowDecodable {
  package let userID: UserID
  package let username: String
  /// In PHC string format; `nil` for an account without a password.
  package let passwordHash: String?
  package let isVerified: Bool
  /// Incremented with every new password.
  package let passwordRevision: Int64
  /// Whether an operator has locked the account.
  package let isLocked: Bool

  static let columns = "id, username, password_hash, verified_at is not null, password_revision, locked_at is not null"

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Credentials {
    Credentials(
      userID: try row.next(), username: try row.next(), passwordHash: try row.next(), isVerified: try row.next(),
      passwordRevision: try row.next(), isLocked: try row.next())
  }
}

/// Selects the credentials of the account with an e-mail address, unless it has lapsed.
package struct CredentialsByEmail: Statement {
  package typealias Row = Credentials
  package static let sql = """
    select \(Credentials.columns) from accounts
    where email_key = $1 and (verified_at is not null or registered_at > $2)
    """
  let email: EmailAddress
  let registeredBefore: Instant

  package init(_ email: EmailAddress, now: Instant) {
    self.email = email
    registeredBefore = now - Lifetimes.unverifiedAccount
  }

  package func bind(_ p: inout Parameters) {
    p.append(email.key)
    p.append(registeredBefore)
  }
}

/// Selects the credentials of the account with a username, unless it has lapsed.
package struct CredentialsByUsername: Statement {
  package typealias Row = Credentials
  package static let sql = """
    select \(Credentials.columns) from accounts
    where lower(username) collate "C" = $1 and (verified_at is not null or registered_at > $2)
    """
  let username: Username
  let registeredBefore: Instant

  package init(_ username: Username, now: Instant) {
    self.username = username
    registeredBefore = now - Lifetimes.unverifiedAccount
  }

  package func bind(_ p: inout Parameters) {
    p.append(username.key)
    p.append(registeredBefore)
  }
}

/// Replaces a password hash by one with other parameters, unless the password was changed meanwhile.
package struct ReplacePasswordHash: Statement {
  package typealias Row = Void
  package static let sql = "update accounts set password_hash = $3 where id = $1 and password_hash = $2"
  let id: UserID
  let old: String
  let new: String

  package init(of id: UserID, old: String, new: String) {
    self.id = id
    self.old = old
    self.new = new
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(old)
    p.append(new)
  }
}

/// Selects the unverified account with an e-mail address, unless it has lapsed.
package struct UnverifiedAccount: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where email_key = $1 and verified_at is null and registered_at > $2
    """
  let email: EmailAddress
  let registeredBefore: Instant

  package init(_ email: EmailAddress, now: Instant) {
    self.email = email
    registeredBefore = now - Lifetimes.unverifiedAccount
  }

  package func bind(_ p: inout Parameters) {
    p.append(email.key)
    p.append(registeredBefore)
  }
}
