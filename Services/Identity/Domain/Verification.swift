import Identifiers

/// The rules of proving that an e-mail address is one's own ([ID-1], [ID-4]).
public enum Verification {
  /// Why no further mail is sent.
  public enum ResendRefusal: Error, Sendable, Hashable {
    /// The last one left less than a minute ago; ask again after `retryAfter`.
    case tooSoon(retryAfter: Duration)
    /// There is nothing to verify any more.
    case alreadyVerified
  }

  /// Why a token does not verify anything.
  public enum TokenRefusal: Error, Sendable, Hashable {
    /// It was used before.
    case used
    /// It is older than 24 h.
    case expired
  }

  /// Decides whether another verification mail may be sent.
  ///
  /// - Parameters:
  ///   - lastSent: when the last one was sent; `nil` when none was.
  ///   - verifiedAt: when the address was verified; `nil` when it was not.
  /// - Returns: `nil` when it may.
  public static func resendRefusal(lastSent: Instant?, verifiedAt: Instant?, now: Instant) -> ResendRefusal? {
    if verifiedAt != nil { return .alreadyVerified }
    guard let lastSent else { return nil }
    // A clock that was set back must not lengthen the wait.
    let wait = min(lastSent + Lifetimes.resendCooldown - now, Lifetimes.resendCooldown)
    return wait > .zero ? .tooSoon(retryAfter: wait) : nil
  }

  /// Decides whether a token verifies its account.
  ///
  /// - Returns: `nil` when it does.
  public static func refusal(issuedAt: Instant, usedAt: Instant?, now: Instant) -> TokenRefusal? {
    if usedAt != nil { return .used }
    return now < issuedAt + Lifetimes.verificationToken ? nil : .expired
  }

  /// Whether an account still holds its names: a verified one always, another for 7 days ([ID-1]).
  public static func holdsNames(registeredAt: Instant, verifiedAt: Instant?, now: Instant) -> Bool {
    verifiedAt != nil || now < registeredAt + Lifetimes.unverifiedAccount
  }
}
