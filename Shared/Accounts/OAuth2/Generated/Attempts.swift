// Made from attempts.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Stores an attempt that begins.
struct InsertAttempt: Statement {
  typealias Row = Void
  static let sql = """
    insert into authorization_attempts
      (state_hash, handle_hash, user_id, provider, redirect_uri, sealed_secrets, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    """
  let stateHash: [UInt8]
  /// `nil` for an attempt of a user who is logged in.
  let handleHash: [UInt8]?
  /// `nil` for an attempt of a browser or app.
  let userID: UserID?
  let provider: String
  let redirectURI: String
  let sealedSecrets: [UInt8]
  let now: Instant

  init(
    stateHash: [UInt8], handleHash: [UInt8]?, userID: UserID?, provider: String, redirectURI: String,
    sealedSecrets: [UInt8], now: Instant) {
    self.stateHash = stateHash
    self.handleHash = handleHash
    self.userID = userID
    self.provider = provider
    self.redirectURI = redirectURI
    self.sealedSecrets = sealedSecrets
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    p.append(stateHash)
    p.append(handleHash)
    p.append(userID)
    p.append(provider)
    p.append(redirectURI)
    p.append(sealedSecrets)
    p.append(now)
  }
}

/// Uses an attempt up; no row when there is none, another owner began it, or it was used before.
struct UseAttempt: SingleRowStatement {
  struct Row: Sendable {
    let provider: String
    let redirectURI: String
    let sealedSecrets: [UInt8]
    /// Whether it began after the time that was given.
    let isLiving: Bool
  }

  static let sql = """
    delete from authorization_attempts
    where state_hash = $1 and handle_hash is not distinct from $2
      and user_id is not distinct from $3
    returning provider, redirect_uri, sealed_secrets, created_at > $4 as is_living
    """
  let stateHash: [UInt8]
  let handleHash: [UInt8]?
  let userID: UserID?
  let begunAfter: Instant

  init(stateHash: [UInt8], handleHash: [UInt8]?, userID: UserID?, begunAfter: Instant) {
    self.stateHash = stateHash
    self.handleHash = handleHash
    self.userID = userID
    self.begunAfter = begunAfter
  }

  func bind(_ p: inout Parameters) {
    p.append(stateHash)
    p.append(handleHash)
    p.append(userID)
    p.append(begunAfter)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(provider: try row.next(), redirectURI: try row.next(), sealedSecrets: try row.next(), isLiving: try row.next())
  }
}

/// Removes some attempts that have expired.
public struct DeleteExpiredAttempts: Statement {
  public typealias Row = Int32
  public static let sql = """
    delete from authorization_attempts where state_hash in (
      select state_hash from authorization_attempts where created_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  public let moment: Instant
  public let limit: Int64

  public init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  public func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
