import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// A passkey of a user.
package enum PasskeySubject {}
/// See ``PasskeySubject``.
package typealias PasskeyID = Identifier<PasskeySubject>

extension UseChallenge {
  /// Uses up a challenge that was issued to the user, or to nobody.
  package init(challengeHash: [UInt8], userID: UserID?, now: Instant) {
    self.init(challengeHash: challengeHash, userID: userID, issuedAfter: now - Lifetimes.passkeyChallenge)
  }
}

extension InsertPasskey {
  package init(_ passkey: StoredPasskey) {
    self.init(
      passkeyID: passkey.id, userID: passkey.userID, credentialID: passkey.credentialID, algorithm: passkey.algorithm,
      publicKey: passkey.publicKey, signCount: passkey.signCount, name: passkey.name, createdAt: passkey.createdAt,
      lastUsedAt: passkey.lastUsedAt)
  }
}

extension DeleteExpiredChallenges: ExpiryStatement {
  package static let kept = Lifetimes.passkeyChallenge
}
