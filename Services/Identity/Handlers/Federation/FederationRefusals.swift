import IdentityDomain
import IdentityFederation
import OAuth2
import TTRPC
import TandemIdentity

/// The errors of logins by a provider ([ID-12]).
extension Status {
  static let providerNotFound = Status(IdentityReason.providerNotFound, "Nobody can log in by this provider")

  /// The same error for a state that was never issued, belongs to another browser or user, has expired or was used.
  static let attemptInvalid = Status(
    IdentityReason.attemptInvalid,
    "The login was not begun here, is over ten minutes old, or has been used; begin again")

  static let ticketInvalid = Status(
    IdentityReason.ticketInvalid, "The ticket is not valid, or is over ten minutes old; begin again")

  static let identityLinked = Status(IdentityReason.identityLinked, "Somebody's account has this identity already")

  static let tooManyIdentities = Status(IdentityReason.tooManyIdentities, "You have ten identities; take one off first")

  static let identityNotFound = Status(IdentityReason.identityNotFound, "You have no such identity")

  static let lastLogin = Status(IdentityReason.lastLogin, "You could not log in any more; choose a password first")

  static let freshLoginRequired = Status(
    IdentityReason.freshLoginRequired, "Confirm your password or log in again, and repeat this within ten minutes")

  /// Of an account without a password, which cannot be confirmed.
  static let freshLoginWithoutPasswordRequired = Status(
    IdentityReason.freshLoginRequired, "Log in again, and repeat this within ten minutes")

  /// The user is authenticated by a provider but has no account yet.
  static func identityNotLinked(_ user: FederatedUser, ticket: String) -> Status {
    var metadata = ["ticket": ticket]
    if let email = user.email {
      metadata["email"] = email.spelling
      metadata["email_verified"] = user.isEmailVerified ? "true" : "false"
    }
    return Status(
      IdentityReason.identityNotLinked, "Nobody's account has this identity; register, or log in and link it",
      metadata: metadata)
  }

  /// The provider cannot be used, whatever the cause; the operator finds it in the log.
  static func providerUnavailable(_ failure: OAuth2Failure) -> Status {
    if case .temporary(_, let retryAfter?) = failure { return providerUnavailable(after: retryAfter) }
    return providerUnavailable(after: pause)
  }

  fileprivate static func providerUnavailable(after retryAfter: Duration) -> Status {
    Status(
      IdentityReason.providerUnavailable, "The provider does not answer as it should; try again later",
      retryAfter: retryAfter)
  }

  /// A provider that failed is not called again for this long.
  fileprivate static let pause: Duration = .seconds(5)
}

extension OAuth2Failure: StatusConvertible {
  public var status: Status {
    switch self {
    case .temporary: .providerUnavailable(self)
    case .consentDenied:
      Status(IdentityReason.consentDenied, "You did not allow it at the provider")
    case .grantRefused, .refused:
      Status(IdentityReason.providerRefused, "The provider refused the login; begin again")
    case .untrusted(let step):
      Status(
        IdentityReason.providerUntrusted, "What came from the provider is not what it must be; begin again",
        metadata: ["step": step.rawValue])
    }
  }
}

extension FederatedLogin.Refusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .notVerified: .emailNotVerified
    case .locked: .accountLocked
    }
  }
}
