import Identifiers

/// The rules of choosing a new password ([ID-8], [ID-9]).
public enum PasswordReset {
  /// What is said of an address that nobody has registered.
  public static let unknownEmail = "The email address is not found"

  /// Why a token changes nothing.
  public enum TokenRefusal: Error, Sendable, Hashable {
    /// It was used before.
    case used
    /// It is older than 30 min.
    case expired
  }

  /// Decides whether a token replaces its account's password ([ID-8]).
  ///
  /// - Returns: `nil` when it does.
  public static func refusal(issuedAt: Instant, usedAt: Instant?, now: Instant) -> TokenRefusal? {
    if usedAt != nil { return .used }
    return now < issuedAt + Lifetimes.resetToken ? nil : .expired
  }

  /// Whether a password may take the place of another: it must be a different one ([ID-9]).
  public static func mayReplace(_ old: Password, by new: Password) -> Bool { old.bytes != new.bytes }
}

/// What who asks for a reset mail is told ([ID-8]).
public enum ResetAnswer: String, Sendable, CaseIterable {
  /// Whether the address is registered.
  case exact
  /// The same for every address.
  case neutral
}
