import Identifiers

/// Logging in by an account elsewhere ([ID-12]).
public enum FederatedLogin {
  /// Identities that may be linked to an account.
  public static let mostOfAccount = 10

  /// Why somebody whom a provider knows is not let in.
  public enum Refusal: Error, Sendable, Hashable {
    /// [ID-1] The account's address has yet to be verified.
    case notVerified
    /// An operator has locked the account.
    case locked
  }

  /// Decides whether whoever an account's identity belongs to may log in to it; `nil` when they may.
  public static func refusal(isVerified: Bool, isLocked: Bool) -> Refusal? {
    if isLocked { return .locked }
    return isVerified ? nil : .notVerified
  }
}

/// By what the owner of an account can log in to it.
public struct LoginWays: Sendable, Hashable {
  /// Whether it has a password.
  public var hasPassword: Bool
  /// Its passkeys.
  public var passkeys: Int
  /// Its identities at providers that people can log in by.
  public var identities: Int

  /// What an account has.
  public init(hasPassword: Bool, passkeys: Int, identities: Int) {
    self.hasPassword = hasPassword
    self.passkeys = passkeys
    self.identities = identities
  }

  /// Whether its owner is locked out: a link to choose a password can be mailed, but nobody should have to find that out.
  public var areNone: Bool { !hasPassword && passkeys <= 0 && identities <= 0 }
}

/// What somebody without a password does in place of typing it ([ID-13]).
public enum FreshLogin {
  /// Whether a session began lately enough.
  public static func isFresh(begun: Instant, now: Instant) -> Bool {
    // A clock that was set back makes no session fresh for longer.
    (.zero..<Lifetimes.freshLogin).contains(now - begun)
  }
}
