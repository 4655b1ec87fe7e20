import Identifiers

/// Logging in by an account elsewhere ([ID-12]).
public enum FederatedLogin {
  /// Identities that may be linked to an account.
  public static let maxOfAccount = 10

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
  /// The issuers of its identities elsewhere.
  public var issuers: [String]

  /// What an account has.
  public init(hasPassword: Bool, passkeys: Int, issuers: [String]) {
    self.hasPassword = hasPassword
    self.passkeys = passkeys
    self.issuers = issuers
  }

  /// Whether a way in is left. Without one its owner is locked out: a link to choose a password can be mailed, but nobody should have to find
  /// that out.
  ///
  /// - Parameter providers: the issuers of those that users can log in by; an identity of any other leads nowhere.
  public func leadIn(where providers: Set<String>) -> Bool {
    hasPassword || passkeys > 0 || issuers.contains(where: providers.contains)
  }
}

/// What is asked of who changes how their account is logged in to, or leaves ([ID-13]).
public enum FreshLogin {
  /// Whether somebody proved lately enough who they are.
  public static func isFresh(proved: Instant, now: Instant) -> Bool {
    // A clock that was set back makes nothing fresh for longer.
    (.zero..<Lifetimes.freshLogin).contains(now - proved)
  }
}
