import Identifiers

/// The rules of choosing a new password ([ID-8], [ID-9]).
public enum PasswordReset {
  /// The error message for an address that is not registered.
  public static let unknownEmail = "The email address is not found"

  /// Why a token cannot be used.
  public enum TokenRefusal: Error, Sendable, Hashable {
    /// It was used before.
    case used
    /// It is older than 30 minutes.
    case expired
  }

  /// Decides whether a token can replace its account's password ([ID-8]).
  ///
  /// - Returns: `nil` when it can.
  public static func refusal(issuedAt: Instant, usedAt: Instant?, now: Instant) -> TokenRefusal? {
    if usedAt != nil { return .used }
    return now < issuedAt + Lifetimes.resetToken ? nil : .expired
  }

  /// Whether a new password differs from the old one, as it must ([ID-9]).
  public static func mayReplace(_ old: Password, by new: Password) -> Bool { old.bytes != new.bytes }
}

/// What the response to a reset request reveals ([ID-8]).
public enum ResetAnswer: String, Sendable, CaseIterable {
  /// Says whether the address is registered.
  case exact
  /// Is the same for every address.
  case neutral
}
