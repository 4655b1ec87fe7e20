import Identifiers

/// The rules of logins by a provider ([ID-12]).
public enum FederatedLogin {
  /// The maximum number of identities that are linked to one account.
  public static let maxOfAccount = 10

  /// Why a user who is authenticated by a provider cannot log in.
  public enum Refusal: Error, Sendable, Hashable {
    /// [ID-1] The account's address is not verified yet.
    case notVerified
    /// An operator has locked the account.
    case locked
  }

  /// Decides whether the owner of an account may log in to it by a linked identity; `nil` when they may.
  public static func refusal(isVerified: Bool, isLocked: Bool) -> Refusal? {
    if isLocked { return .locked }
    return isVerified ? nil : .notVerified
  }
}

/// The login methods of an account.
public struct LoginWays: Sendable, Hashable {
  public var hasPassword: Bool
  /// The number of passkeys.
  public var passkeys: Int
  /// The issuers of the linked identities.
  public var issuers: [String]

  public init(hasPassword: Bool, passkeys: Int, issuers: [String]) {
    self.hasPassword = hasPassword
    self.passkeys = passkeys
    self.issuers = issuers
  }

  /// Whether the owner can still log in. A mailed link to choose a password would also let them in, but they should not
  /// have to find that out.
  ///
  /// - Parameter providers: the issuers of the configured providers; an identity of any other cannot be used.
  public func leadIn(where providers: Set<String>) -> Bool {
    hasPassword || passkeys > 0 || issuers.contains(where: providers.contains)
  }
}

/// Recent authentication, required of a user who changes login methods or deletes the account ([ID-13]).
public enum FreshLogin {
  /// Whether the last proof of identity is recent enough.
  public static func isFresh(proved: Instant, now: Instant) -> Bool {
    // A clock that was set back must not extend the period: a proof from the future is not fresh.
    (.zero..<Lifetimes.freshLogin).contains(now - proved)
  }
}
