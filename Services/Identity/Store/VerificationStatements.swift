import IdentityDomain
import Identifiers
import Postgres

/// Selects and locks the time at which a verification mail was last requested; `nil` for the first time.
package struct LockedVerificationRequest: Statement {
  // The update changes nothing: it locks an existing row, as the insert locks a new one.
  package static let sql = """
    insert into verification_requests (email_hash) values ($1)
    on conflict on constraint verification_requests_pkey do update set email_hash = excluded.email_hash
    returning requested_at
    """
  let emailHash: [UInt8]

  package init(emailHash: [UInt8]) { self.emailHash = emailHash }

  package func bind(_ p: inout Parameters) { p.append(emailHash) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Instant? { try row.next() }
}

/// Starts the cooldown of [ID-4].
package struct NoteVerificationRequest: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into verification_requests (email_hash, requested_at) values ($1, $2)
    on conflict on constraint verification_requests_pkey do update set requested_at = excluded.requested_at
    """
  let emailHash: [UInt8]
  let now: Instant

  package init(emailHash: [UInt8], at now: Instant) {
    self.emailHash = emailHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailHash)
    p.append(now)
  }
}

/// Adds a new token by its hash; it replaces the account's unused ones.
package struct InsertVerification: Statement {
  package typealias Row = Void
  package static let sql = """
    with replaced as (delete from email_verifications where account_id = $2 and used_at is null)
    insert into email_verifications (token_hash, account_id, created_at, expires_at) values ($1, $2, $3, $4)
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
    p.append(now + Lifetimes.verificationToken)
  }
}

/// Selects a token by its hash and locks it, so that it is used once ([ID-4]).
package struct LockedVerification: Statement {
  /// What decides on using it.
  package struct Row: Sendable {
    package let userID: UserID
    package let issuedAt: Instant
    package let usedAt: Instant?
    package let registeredAt: Instant
    package let verifiedAt: Instant?
  }

  package static let sql = """
    select token.account_id, token.created_at, token.used_at, accounts.registered_at, accounts.verified_at
    from email_verifications as token join accounts on accounts.id = token.account_id
    where token.token_hash = $1 for update of token
    """
  let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) { self.tokenHash = tokenHash }

  package func bind(_ p: inout Parameters) { p.append(tokenHash) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), issuedAt: try row.next(), usedAt: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next())
  }
}

/// Records that a token was used.
package struct UseVerification: Statement {
  package typealias Row = Void
  package static let sql = "update email_verifications set used_at = $2 where token_hash = $1"
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

/// Verifies an account that is not verified yet.
package struct VerifyAccount: Statement {
  package typealias Row = String
  package static let sql = """
    update accounts set verified_at = greatest($2, registered_at) where id = $1 and verified_at is null
    returning username
    """
  let id: UserID
  let now: Instant

  package init(_ id: UserID, at now: Instant) {
    self.id = id
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }
}
