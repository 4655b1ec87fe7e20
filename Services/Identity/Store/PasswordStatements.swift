import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// Keeps a password from being replaced, and the account from being locked, until the transaction ends; no row when either has happened, or
/// the account is gone.
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

/// Keeps an account from being locked or deleted until the transaction ends, and says whether an operator has locked it; no row when it is
/// gone.
package struct HoldAccount: Statement {
  /// Whether it is locked.
  package typealias Row = Bool
  package static let sql = "select locked_at is not null from accounts where id = $1 for share"
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Locks an account whose password is to be replaced until the transaction ends; no row when it is another one by now.
package struct LockPassword: Statement {
  package typealias Row = UserID
  package static let sql = "select id from accounts where id = $1 and password_revision = $2 for no key update"
  let checked: Credentials

  package init(_ checked: Credentials) { self.checked = checked }

  package func bind(_ p: inout Parameters) { HoldPassword(checked).bind(&p) }
}

/// Gives an account another password if it has still the one that was checked; no row when it has not.
///
/// With it every token goes that was mailed to choose one and was not used. Whoever uses such a token locks the account first, as this does.
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

/// What a new password is judged against, and whether the old one is still the one that was seen.
package struct NamesAndPassword: Sendable {
  package let credentials: Credentials
  package let email: String
}

/// An account's names and password.
package struct NamesByID: Statement {
  package static let sql = "select \(Credentials.columns), email from accounts where id = $1"
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> NamesAndPassword {
    NamesAndPassword(credentials: try Credentials.decode(row), email: try row.next())
  }
}

/// The account that registered an address, unless it lapsed.
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

/// Adds a reset token that was just made, by its hash, in place of the one that the account may have had.
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

/// A reset token found by its hash.
package struct ResetByHash: Statement {
  /// What decides about using it, and what a new password is judged against.
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

/// Notes that a reset token is used; no row when it was used before, or replaced.
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

/// Removes some reset tokens that expired a week ago or earlier.
///
/// Until then whoever follows an old link is told that it expired, rather than that it is none.
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

/// About how many accounts there are, as the database's statistics have it; less than 0 where they know nothing.
package struct EstimatedAccounts: Statement {
  package typealias Row = Double
  package static let sql = "select reltuples::double precision from pg_class where oid = 'accounts'::regclass"

  package init() {}

  package func bind(_ p: inout Parameters) {}
}

/// How many of some accounts have a password hash of which parameters.
package struct PasswordParameterCounts: Statement {
  package struct Row: Sendable {
    /// As a PHC string has them.
    package let parameters: String
    package let count: Int64
  }

  package static let sql = """
    select split_part(password_hash, '$', 3), count(*) from accounts tablesample system (($1::double precision)::real)
    where password_hash is not null group by 1 order by 2 desc limit 16
    """
  let percent: Double

  /// - Parameter percent: of the table's pages.
  package init(percent: Double) { self.percent = percent }

  package func bind(_ p: inout Parameters) { p.append(percent) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(parameters: try row.next(), count: try row.next())
  }
}
