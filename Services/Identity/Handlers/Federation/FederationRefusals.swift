import IdentityDomain
import IdentityFederation
import OAuth2
import TTRPC

/// The errors of logins by a provider ([ID-12]).
extension Status {
  static let providerNotFound = Status(
    .notFound, reason: "PROVIDER_NOT_FOUND", "Nobody can log in by this provider")

  /// The same error for a state that was never issued, belongs to another browser or user, has expired or was used.
  static let attemptInvalid = Status(
    .failedPrecondition, reason: "ATTEMPT_INVALID",
    "The login was not begun here, is over ten minutes old, or has been used; begin again")

  static let ticketInvalid = Status(
    .failedPrecondition, reason: "TICKET_INVALID",
    "The ticket is not valid, or is over ten minutes old; begin again")

  static let identityLinked = Status(
    .alreadyExists, reason: "IDENTITY_LINKED", "Somebody's account has this identity already")

  static let tooManyIdentities = Status(
    .failedPrecondition, reason: "TOO_MANY_IDENTITIES", "You have ten identities; take one off first")

  static let identityNotFound = Status(.notFound, reason: "IDENTITY_NOT_FOUND", "You have no such identity")

  static let lastLogin = Status(
    .failedPrecondition, reason: "LAST_LOGIN", "You could not log in any more; choose a password first")

  static let freshLoginRequired = Status(
    .failedPrecondition, reason: "FRESH_LOGIN_REQUIRED",
    "Confirm your password or log in again, and repeat this within ten minutes")

  /// The user is authenticated by a provider but has no account yet.
  static func identityNotLinked(_ user: FederatedUser, ticket: String) -> Status {
    var metadata = ["ticket": ticket]
    if let email = user.email {
      metadata["email"] = email.spelling
      metadata["email_verified"] = user.isEmailVerified ? "true" : "false"
    }
    return Status(
      .failedPrecondition, reason: "IDENTITY_NOT_LINKED",
      "Nobody's account has this identity; register, or log in and link it", metadata: metadata)
  }

  /// The provider cannot be used, whatever the cause; the operator finds it in the log.
  static func providerUnavailable(_ failure: OAuth2Failure) -> Status {
    if case .temporary(_, let retryAfter?) = failure { return providerUnavailable(after: retryAfter) }
    return providerUnavailable(after: pause)
  }

  fileprivate static func providerUnavailable(after retryAfter: Duration) -> Status {
    Status(
      .unavailable, reason: "PROVIDER_UNAVAILABLE", "The provider does not answer as it should; try again later",
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
      Status(.permissionDenied, reason: "CONSENT_DENIED", "You did not allow it at the provider")
    case .grantRefused, .refused:
      Status(.failedPrecondition, reason: "PROVIDER_REFUSED", "The provider refused the login; begin again")
    case .untrusted(let step):
      Status(
        .failedPrecondition, reason: "PROVIDER_UNTRUSTED",
        "What came from the provider is not what it must be; begin again", metadata: ["step": step.rawValue])
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
