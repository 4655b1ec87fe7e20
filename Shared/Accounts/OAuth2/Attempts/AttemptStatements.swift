import Expiry
import Identifiers
import Postgres

/// Stores an attempt that begins.
struct InsertAttempt: Statement {
  typealias Row = Void
  static let sql = """
    insert into authorization_attempts
      (state_hash, handle_hash, person_id, provider, redirect_uri, sealed_secrets, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    """
  let stateHash: [UInt8]
  let owner: AttemptOwner
  let provider: String
  let redirectURI: String
  let sealedSecrets: [UInt8]
  let now: Instant

  func bind(_ p: inout Parameters) {
    p.append(stateHash)
    p.append(owner.handleHash)
    p.append(owner.user)
    p.append(provider)
    p.append(redirectURI)
    p.append(sealedSecrets)
    p.append(now)
  }
}

/// Uses an attempt up; no row when there is none, another owner began it, or it was used before.
struct UseAttempt: Statement {
  struct Row: Sendable {
    let provider: String
    let redirectURI: String
    let sealedSecrets: [UInt8]
    let isLiving: Bool
  }

  static let sql = """
    delete from authorization_attempts
    where state_hash = $1 and handle_hash is not distinct from $2 and person_id is not distinct from $3
    returning provider, redirect_uri, sealed_secrets, created_at > $4
    """
  let stateHash: [UInt8]
  let owner: AttemptOwner
  let begunAfter: Instant

  func bind(_ p: inout Parameters) {
    p.append(stateHash)
    p.append(owner.handleHash)
    p.append(owner.user)
    p.append(begunAfter)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), redirectURI: try row.next(), sealedSecrets: try row.next(), isLiving: try row.next())
  }
}

/// Removes some attempts that have expired.
package struct DeleteExpiredAttempts: ExpiryStatement {
  package static let kept = AuthorizationAttempts.lifetime
  package static let sql = """
    delete from authorization_attempts where state_hash in (
      select state_hash from authorization_attempts where created_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
