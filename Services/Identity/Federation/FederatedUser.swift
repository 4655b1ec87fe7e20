import Identifiers
import IdentityDomain

/// A user's identity at a provider.
package struct FederatedUser: Sendable {
  /// The provider's issuer; issuer and subject together identify one user permanently.
  package let issuer: String
  /// The provider's id of the user: 1 to 255 characters.
  package let subject: String
  /// The address that the provider reports, if mail can be sent to it.
  package let email: EmailAddress?
  /// Whether the provider has verified the address and is trusted to do so.
  package let isEmailVerified: Bool
  /// When the user last authenticated at the provider, as opposed to being remembered by it; `nil` if the provider does
  /// not say.
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
