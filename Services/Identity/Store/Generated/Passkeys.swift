// Made from passkeys.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

package struct StoredPasskey: Sendable, Equatable, RowDecodable {
  package let id: PasskeyID
  package let userID: UserID
  package let credentialID: [UInt8]
  /// The COSE number of the algorithm.
  package let algorithm: Int32
  package let publicKey: [UInt8]
  package let signCount: Int64
  package let name: String
  package let createdAt: Instant
  /// `nil` until the first login with it.
  package let lastUsedAt: Instant?

  package init(
    id: PasskeyID, userID: UserID, credentialID: [UInt8], algorithm: Int32, publicKey: [UInt8], signCount: Int64,
    name: String, createdAt: Instant, lastUsedAt: Instant?) {
    self.id = id
    self.userID = userID
    self.credentialID = credentialID
    self.algorithm = algorithm
    self.publicKey = publicKey
    self.signCount = signCount
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredPasskey {
    StoredPasskey(
      id: try row.next(), userID: try row.next(), credentialID: try row.next(), algorithm: try row.next(),
      publicKey: try row.next(), signCount: try row.next(), name: try row.next(), createdAt: try row.next(),
      lastUsedAt: try row.next())
  }
}

/// Stores a challenge that is issued.
package struct InsertChallenge: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into passkey_challenges (challenge_hash, account_id, created_at) values ($1, $2, $3)
    """
  package let challengeHash: [UInt8]
  /// The user who may add a passkey with it; `nil` for a login.
  package let userID: UserID?
  package let now: Instant

  package init(challengeHash: [UInt8], userID: UserID?, now: Instant) {
    self.challengeHash = challengeHash
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(challengeHash)
    p.append(userID)
    p.append(now)
  }
}

/// Uses up a challenge, and returns whether it had not expired; no row if it was not issued for this purpose or was used
/// before.
package struct UseChallenge: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    delete from passkey_challenges
    where challenge_hash = $1 and account_id is not distinct from $2
    returning created_at > $3 as is_valid
    """
  package let challengeHash: [UInt8]
  /// `nil` for a login.
  package let userID: UserID?
  package let issuedAfter: Instant

  package init(challengeHash: [UInt8], userID: UserID?, issuedAfter: Instant) {
    self.challengeHash = challengeHash
    self.userID = userID
    self.issuedAfter = issuedAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(challengeHash)
    p.append(userID)
    p.append(issuedAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds a passkey; no row if its credential id is registered already.
package struct InsertPasskey: SingleRowStatement {
  package typealias Row = PasskeyID
  package static let sql = """
    insert into passkeys (
      id, account_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at
    ) values (
      $1, $2, $3, $4, $5, $6, $7, $8, $9
    )
    on conflict on constraint passkeys_credential_id_key do nothing
    returning id
    """
  package let passkeyID: PasskeyID
  package let userID: UserID
  package let credentialID: [UInt8]
  package let algorithm: Int32
  package let publicKey: [UInt8]
  package let signCount: Int64
  package let name: String
  package let createdAt: Instant
  package let lastUsedAt: Instant?

  package init(
    passkeyID: PasskeyID, userID: UserID, credentialID: [UInt8], algorithm: Int32, publicKey: [UInt8], signCount: Int64,
    name: String, createdAt: Instant, lastUsedAt: Instant?) {
    self.passkeyID = passkeyID
    self.userID = userID
    self.credentialID = credentialID
    self.algorithm = algorithm
    self.publicKey = publicKey
    self.signCount = signCount
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(passkeyID)
    p.append(userID)
    p.append(credentialID)
    p.append(algorithm)
    p.append(publicKey)
    p.append(signCount)
    p.append(name)
    p.append(createdAt)
    p.append(lastUsedAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The passkeys of an account, the oldest first.
package struct PasskeysOf: Statement {
  package typealias Row = StoredPasskey
  package static let sql = """
    select id, account_id as user_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at from passkeys where account_id = $1 order by id
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredPasskey.decode(row)
  }
}

/// The passkey with a credential id.
package struct PasskeyByCredential: SingleRowStatement {
  package typealias Row = StoredPasskey
  package static let sql = """
    select id, account_id as user_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at from passkeys where credential_id = $1
    """
  package let credentialID: [UInt8]

  package init(credentialID: [UInt8]) {
    self.credentialID = credentialID
  }

  package func bind(_ p: inout Parameters) {
    p.append(credentialID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredPasskey.decode(row)
  }
}

/// Records a login with a passkey; no row if its counter did not increase, or the passkey was removed.
package struct CountPasskeyLogin: SingleRowStatement {
  package typealias Row = PasskeyID
  package static let sql = """
    update passkeys set sign_count = $1, last_used_at = $2
    where id = $3 and ($1 > sign_count or (sign_count = 0 and $1 = 0))
    returning id
    """
  package let signCount: Int64
  package let now: Instant
  package let passkeyID: PasskeyID

  package init(signCount: Int64, now: Instant, passkeyID: PasskeyID) {
    self.signCount = signCount
    self.now = now
    self.passkeyID = passkeyID
  }

  package func bind(_ p: inout Parameters) {
    p.append(signCount)
    p.append(now)
    p.append(passkeyID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a passkey of an account and returns its name; no row if it has no such passkey.
package struct DeletePasskeyRow: SingleRowStatement {
  package typealias Row = String
  package static let sql = """
    delete from passkeys where id = $1 and account_id = $2 returning name
    """
  package let passkeyID: PasskeyID
  package let userID: UserID

  package init(passkeyID: PasskeyID, userID: UserID) {
    self.passkeyID = passkeyID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(passkeyID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes challenges that have expired.
package struct DeleteExpiredChallenges: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges where created_at <= $1 limit $2 for update skip locked
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
