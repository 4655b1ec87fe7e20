import IdentityDomain
public import Identifiers
public import Postgres

/// When a verification mail was last asked for, locked; `nil` for the first time.
public struct LockedVerificationRequest: Statement {
  // The update changes nothing: it locks the row that is there, as the insert does the one that was not.
  public static let sql = """
    insert into verification_requests (email_hash) values ($1)
    on conflict on constraint verification_requests_pkey do update set email_hash = excluded.email_hash
    returning requested_at
    """
  let emailHash: [UInt8]

  public init(emailHash: [UInt8]) { self.emailHash = emailHash }

  public func bind(_ p: inout Parameters) { p.append(emailHash) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Instant? { try row.next() }
}

/// Starts the cooldown of [ID-4].
public struct NoteVerificationRequest: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into verification_requests (email_hash, requested_at) values ($1, $2)
    on conflict on constraint verification_requests_pkey do update set requested_at = excluded.requested_at
    """
  let emailHash: [UInt8]
  let now: Instant

  public init(emailHash: [UInt8], at now: Instant) {
    self.emailHash = emailHash
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(emailHash)
    p.append(now)
  }
}

/// Adds a token that was just made, by its hash; it replaces those of the account that were not used.
public struct InsertVerification: Statement {
  public typealias Row = Void
  public static let sql = """
    with replaced as (delete from email_verifications where account_id = $2 and used_at is null)
    insert into email_verifications (token_hash, account_id, created_at, expires_at) values ($1, $2, $3, $4)
    """
  let tokenHash: [UInt8]
  let accountID: AccountID
  let now: Instant

  public init(tokenHash: [UInt8], accountID: AccountID, now: Instant) {
    self.tokenHash = tokenHash
    self.accountID = accountID
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(accountID)
    p.append(now)
    p.append(now + Lifetimes.verificationToken)
  }
}

/// A token found by its hash, locked so that it is used once ([ID-4]).
public struct LockedVerification: Statement {
  /// What decides about using it.
  public struct Row: Sendable {
    public let accountID: AccountID
    public let issuedAt: Instant
    public let usedAt: Instant?
  }

  public static let sql = """
    select account_id, created_at, used_at from email_verifications where token_hash = $1 for update
    """
  let tokenHash: [UInt8]

  public init(tokenHash: [UInt8]) { self.tokenHash = tokenHash }

  public func bind(_ p: inout Parameters) { p.append(tokenHash) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(accountID: try row.next(), issuedAt: try row.next(), usedAt: try row.next())
  }
}

/// Notes that a token was used.
public struct UseVerification: Statement {
  public typealias Row = Void
  public static let sql = "update email_verifications set used_at = $2 where token_hash = $1"
  let tokenHash: [UInt8]
  let now: Instant

  public init(tokenHash: [UInt8], now: Instant) {
    self.tokenHash = tokenHash
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
  }
}

/// Makes an account a verified one, where it is not yet.
public struct VerifyAccount: Statement {
  public typealias Row = Void
  public static let sql =
    "update accounts set verified_at = greatest($2, registered_at) where id = $1 and verified_at is null"
  let id: AccountID
  let now: Instant

  public init(_ id: AccountID, at now: Instant) {
    self.id = id
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }
}
