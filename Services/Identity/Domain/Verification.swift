import Identifiers

/// The rules of verifying an e-mail address ([ID-1], [ID-4]).
public enum Verification {
  /// Why no other mail is sent.
  public enum ResendRefusal: Error, Sendable, Hashable {
    /// The last one was sent less than a minute ago; retry after `retryAfter`.
    case tooSoon(retryAfter: Duration)
  }

  /// Why a token cannot be used.
  public enum TokenRefusal: Error, Sendable, Hashable {
    /// It was used before.
    case used
    /// It is older than 24 h.
    case expired
  }

  /// Who proves the address of a registration by the mailed token ([ID-17]).
  public enum Prover: Sendable, Hashable {
    /// The client that registered, which has the registration's secret: what it registered with stays.
    case registrant
    /// A client of which nothing is known but that its user reads the address's mail. The registration may be a
    /// stranger's, so none of its ways to log in stays.
    case other
  }

  /// Decides whether another verification mail may be sent.
  ///
  /// - Parameter lastSent: when the last one was sent; `nil` if there was none.
  /// - Returns: `nil` when it may.
  public static func resendRefusal(lastSent: Instant?, now: Instant) -> ResendRefusal? {
    guard let lastSent else { return nil }
    // A clock that was set back must not lengthen the wait.
    let wait = min(lastSent + Lifetimes.resendCooldown - now, Lifetimes.resendCooldown)
    return wait > .zero ? .tooSoon(retryAfter: wait) : nil
  }

  /// Decides whether a token can verify its account.
  ///
  /// - Returns: `nil` when it can.
  public static func refusal(issuedAt: Instant, usedAt: Instant?, now: Instant) -> TokenRefusal? {
    if usedAt != nil { return .used }
    return now < issuedAt + Lifetimes.verificationToken ? nil : .expired
  }

  /// Whether an account still holds its names: always if verified, otherwise for 7 days ([ID-1]).
  public static func holdsNames(registeredAt: Instant, verifiedAt: Instant?, now: Instant) -> Bool {
    verifiedAt != nil || now < registeredAt + Lifetimes.unverifiedAccount
  }
}
