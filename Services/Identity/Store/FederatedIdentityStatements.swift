import IdentityDomain
import Identifiers

/// A user's identity at a provider, linked to an account.
package enum IdentityLink {}
/// See ``IdentityLink``.
package typealias IdentityLinkID = Identifier<IdentityLink>

extension HoldIdentityOwner {
  package init(userID: UserID, now: Instant) {
    self.init(userID: userID, registeredAfter: now - Lifetimes.unverifiedAccount)
  }
}

extension InsertIdentity {
  package init(_ identity: StoredIdentity) {
    self.init(
      identityID: identity.id, userID: identity.userID, issuer: identity.issuer, subject: identity.subject,
      email: identity.email, createdAt: identity.createdAt, lastUsedAt: identity.lastUsedAt)
  }
}

extension FreeLapsedIdentity {
  package init(issuer: String, subject: String, now: Instant) {
    self.init(issuer: issuer, subject: subject, registeredBefore: now - Lifetimes.unverifiedAccount)
  }
}
