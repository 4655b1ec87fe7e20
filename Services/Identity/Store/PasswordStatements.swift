import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// Keeps a password from being replaced, and its account from being locked, until the transaction ends; returns no row
/// when either has happened, or the account was deleted.
package struct HoldPassword: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where id = $1 and password_revision = $2 and locked_at is null for share
    """
  let checked: Credentials

  package init(_ checked: Credentials) { self.checked = checked }

  package func bind(_ p: inout Parameters) {
    p.append(checked.userID)
    p.append(checked.passwordRevision)
  }
}

/// Keeps an account from being locked or deleted until the transaction ends, and returns whether an operator has locked
/// it; returns no row when it was deleted.
package struct HoldAccount: Statement {
  /// Whether an operator has locked it.
  package typealias Row = Bool
  package static let sql = "select locked_at is not null from accounts where id = $1 for share"
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Locks an account whose password is to be replaced until the transaction ends; returns no row when the password was
/// changed meanwhile.
package struct LockPassword: Statement {
  package typealias Row = UserID
  package static let sql = "select id from accounts where id = $1 and password_revision = $2 for no key update"
  let checked: Credentials

  package init(_ checked: Credentials) { self.checked = checked }

  package func bind(_ p: inout Parameters) { HoldPassword(checked).bind(&p) }
}

/// Replaces an account's password if it is still the one that was checked; returns no row if it is not.
///
/// All unused reset tokens of the account are removed. A transaction that uses a reset token locks the account first,
/// as this statement does.
package struct ReplacePassword: Statement {
  package typealias Row = UserID
  package static let sql = """
    with replaced as (
      update accounts set password_hash = $3, password_revision = password_revision + 1
      where id = $1 and password_revision = $2
      returning id
    ), moot as (
      delete from password_resets using replaced where account_id = replaced.id and used_at is null
    )
    select id from replaced
    """
  let checked: Credentials
  let hash: String

  package init(_ checked: Credentials, by hash: String) {
    self.checked = checked
    self.hash = hash
  }

  package func bind(_ p: inout Parameters) {
    p.append(checked.userID)
    p.append(checked.passwordRevision)
    p.append(hash)
  }
}

/// The names that a new password is judged against, and the credentials that show whether the old one is unchanged.
package struct NamesAndPassword: Sendable {
  package let credentials: Credentials
  package let email: String
}

/// Selects an account's names and password.
package struct NamesByID: Statement {
  package static let sql = "select \(Credentials.columns), email from accounts where id = $1"
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> NamesAndPassword {
    NamesAndPassword(credentials: try Credentials.decode(row), email: try row.next())
  }
}

/// Selects the account with an e-mail address, unless it has lapsed.
package struct AccountByEmail: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where email_key = $1 and (verified_at is not null or registered_at > $2)
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

/// Adds a new reset token by its hash; it replaces the account's previous one.
package struct InsertReset: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into password_resets (token_hash, account_id, created_at, expires_at) values ($1, $2, $3, $4)
    on conflict (account_id) where used_at is null do update
    set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    """
  let tokenHash: [UInt8]
  let userID: UserID
  let now: Instant

  package init(tokenHash: [UInt8], userID: UserID, now: Instant) {
    self.tokenHash = tokenHash
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(userID)
    p.append(now)
    p.append(now + Lifetimes.resetToken)
  }
}

/// Selects a reset token by its hash.
package struct ResetByHash: Statement {
  /// What decides on using it, and what a new password is judged against.
  package struct Row: Sendable {
    package let account: NamesAndPassword
    package let issuedAt: Instant
    package let usedAt: Instant?
  }

  package static let sql = """
    select \(Credentials.columns), email, token.created_at, token.used_at
    from password_resets as token join accounts on accounts.id = token.account_id
    where token.token_hash = $1
    """
  let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) { self.tokenHash = tokenHash }

  package func bind(_ p: inout Parameters) { p.append(tokenHash) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      account: NamesAndPassword(credentials: try Credentials.decode(row), email: try row.next()),
      issuedAt: try row.next(), usedAt: try row.next())
  }
}

/// Records that a reset token is used; returns no row when it was used or replaced before.
package struct UseReset: Statement {
  package typealias Row = UserID
  package static let sql = """
    update password_resets set used_at = $2 where token_hash = $1 and used_at is null returning account_id
    """
  let tokenHash: [UInt8]
  let now: Instant

  package init(tokenHash: [UInt8], now: Instant) {
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
  }
}

/// Removes reset tokens that expired a week ago or earlier.
///
/// Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
package struct DeleteExpiredResets: ExpiryStatement {
  package static let kept = Lifetimes.unverifiedAccount
  package static let sql = """
    delete from password_resets where token_hash in (
      select token_hash from password_resets where expires_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// The approximate number of accounts from the database's statistics; negative if there are none.
package struct EstimatedAccounts: Statement {
  package typealias Row = Double
  package static let sql = "select reltuples::double precision from pg_class where oid = 'accounts'::regclass"

  package init() {}

  package func bind(_ p: inout Parameters) {}
}

/// Counts the password hashes in a sample of accounts by their parameters.
package struct PasswordParameterCounts: Statement {
  package struct Row: Sendable {
    /// In the form of a PHC string.
    package let parameters: String
    package let count: Int64
  }

  package static let sql = """
    select split_part(password_hash, '$', 3), count(*) from accounts tablesample system (($1::double precision)::real)
    where password_hash is not null group by 1 order by 2 desc limit 16
    """
  let percent: Double

  /// - Parameter percent: the sampled share of the table's pages.
  package init(percent: Double) { self.percent = percent }

  package func bind(_ p: inout Parameters) { p.append(percent) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(parameters: try row.next(), count: try row.next())
  }
}
