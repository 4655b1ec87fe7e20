import Identifiers
import IdentityDomain

/// Who somebody is at a provider.
package struct FederatedUser: Sendable {
  /// The provider's issuer; with the subject it stands for one user and for ever.
  package let issuer: String
  /// What the provider knows the user by: 1 to 255 characters.
  package let subject: String
  /// The address that the provider tells, if it is one that can be mailed to.
  package let email: EmailAddress?
  /// Whether the provider has verified that the address is the user's, and is trusted to.
  package let isEmailVerified: Bool
  /// When the provider last saw a proof of who the user is, and not only a browser that it remembers; `nil` where it does not say.
  package let provedAt: Instant?

  package init(
    issuer: String, subject: String, email: EmailAddress?, isEmailVerified: Bool, provedAt: Instant? = nil
  ) {
    self.issuer = issuer
    self.subject = subject
    self.email = email
    self.isEmailVerified = email != nil && isEmailVerified
    self.provedAt = provedAt
  }
}
