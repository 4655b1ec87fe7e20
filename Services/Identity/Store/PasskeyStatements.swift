import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// A passkey of a user.
package enum PasskeySubject {}
/// See ``PasskeySubject``.
package typealias PasskeyID = Identifier<PasskeySubject>

package struct StoredPasskey: RowDecodable, Equatable {
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
    name: String, createdAt: Instant, lastUsedAt: Instant?
  ) {
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

  static let columns =
    "id, account_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at"

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
  package static let sql = "insert into passkey_challenges (challenge_hash, account_id, created_at) values ($1, $2, $3)"
  let hash: [UInt8]
  let userID: UserID?
  let now: Instant

  /// - Parameter userID: the user who may add a passkey with it; `nil` for a login.
  package init(hash: [UInt8], for userID: UserID?, now: Instant) {
    self.hash = hash
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(hash)
    p.append(userID)
    p.append(now)
  }
}

/// Uses up a challenge; returns no row when it was not issued for this purpose or was used before.
package struct UseChallenge: Statement {
  /// Whether it had not expired.
  package typealias Row = Bool
  package static let sql = """
    delete from passkey_challenges
    where challenge_hash = $1 and account_id is not distinct from $2
    returning created_at > $3
    """
  let hash: [UInt8]
  let userID: UserID?
  let issuedAfter: Instant

  package init(hash: [UInt8], of userID: UserID?, now: Instant) {
    self.hash = hash
    self.userID = userID
    issuedAfter = now - Lifetimes.passkeyChallenge
  }

  package func bind(_ p: inout Parameters) {
    p.append(hash)
    p.append(userID)
    p.append(issuedAfter)
  }
}

/// Adds a passkey; returns no row when its credential id is registered already.
package struct InsertPasskey: Statement {
  package typealias Row = PasskeyID
  package static let sql = """
    insert into passkeys (\(StoredPasskey.columns)) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict on constraint passkeys_credential_id_key do nothing
    returning id
    """
  let passkey: StoredPasskey

  package init(_ passkey: StoredPasskey) { self.passkey = passkey }

  package func bind(_ p: inout Parameters) {
    p.append(passkey.id)
    p.append(passkey.userID)
    p.append(passkey.credentialID)
    p.append(passkey.algorithm)
    p.append(passkey.publicKey)
    p.append(passkey.signCount)
    p.append(passkey.name)
    p.append(passkey.createdAt)
    p.append(passkey.lastUsedAt)
  }
}

/// Selects the passkeys of an account, the oldest first.
package struct PasskeysOf: Statement {
  package typealias Row = StoredPasskey
  package static let sql = "select \(StoredPasskey.columns) from passkeys where account_id = $1 order by id"
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Selects the passkey with a credential id.
package struct PasskeyByCredential: Statement {
  package typealias Row = StoredPasskey
  package static let sql = "select \(StoredPasskey.columns) from passkeys where credential_id = $1"
  let credentialID: [UInt8]

  package init(_ credentialID: [UInt8]) { self.credentialID = credentialID }

  package func bind(_ p: inout Parameters) { p.append(credentialID) }
}

/// Records a login with a passkey; returns no row when its counter did not increase, or the passkey was removed.
package struct CountPasskeyLogin: Statement {
  package typealias Row = PasskeyID
  package static let sql = """
    update passkeys set sign_count = $2, last_used_at = $3
    where id = $1 and ($2 > sign_count or (sign_count = 0 and $2 = 0))
    returning id
    """
  let id: PasskeyID
  let signCount: Int64
  let now: Instant

  package init(_ id: PasskeyID, signCount: UInt32, now: Instant) {
    self.id = id
    self.signCount = Int64(signCount)
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(signCount)
    p.append(now)
  }
}

/// Removes a passkey of an account; returns no row when it has no such passkey.
package struct DeletePasskeyRow: Statement {
  package typealias Row = PasskeyID
  package static let sql = "delete from passkeys where id = $1 and account_id = $2 returning id"
  let id: PasskeyID
  let userID: UserID

  package init(_ id: PasskeyID, of userID: UserID) {
    self.id = id
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
  }
}

/// Removes challenges that have expired.
package struct DeleteExpiredChallenges: ExpiryStatement {
  package static let kept = Lifetimes.passkeyChallenge
  package static let sql = """
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges where created_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
