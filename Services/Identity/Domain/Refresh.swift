import Identifiers

/// The outcome of using a refresh token ([ID-6]).
public enum RefreshDecision: Sendable, Hashable {
  /// The first use: replace the token by a new pair.
  case rotate
  /// The client lost the response and repeats its request: return the same pair again.
  case repeatAnswer
  /// The token was used again, so another client may have it: end the whole session.
  case endSession
  /// The session has ended, the token is older than 30 days, or the session older than 180.
  case refuse

  /// What is known about a refresh token.
  public struct Facts: Sendable {
    /// When the session began.
    public var begunAt: Instant
    /// When the token was issued.
    public var issuedAt: Instant
    /// The first use; `nil` when it is unused.
    public var use: Use?
    /// When the session ended; `nil` while it is live.
    public var sessionEndedAt: Instant?

    public init(begunAt: Instant, issuedAt: Instant, use: Use? = nil, sessionEndedAt: Instant? = nil) {
      (self.begunAt, self.issuedAt, self.use, self.sessionEndedAt) = (begunAt, issuedAt, use, sessionEndedAt)
    }
  }

  /// The first use of a refresh token.
  public struct Use: Sendable, Hashable {
    public var at: Instant
    /// The id of the request that used it, if any ([C-4]).
    public var requestID: UUID7?

    public init(at: Instant, requestID: UUID7?) {
      (self.at, self.requestID) = (at, requestID)
    }
  }

  /// Decides on a token that was found by its hash and whose row is locked.
  ///
  /// - Parameter requestID: the id of the present request, if any.
  public static func of(_ facts: Facts, requestID: UUID7?, now: Instant) -> RefreshDecision {
    if facts.sessionEndedAt != nil { return .refuse }
    if let use = facts.use {
      let isRepetition = requestID != nil && requestID == use.requestID && now - use.at <= Lifetimes.refreshReplay
      return isRepetition ? .repeatAnswer : .endSession
    }
    return now < SessionAge.end(of: facts.begunAt, usedAt: facts.issuedAt) ? .rotate : .refuse
  }
}

/// The maximum age of a session.
public enum SessionAge {
  /// When a session ends that began at `begun` and was last refreshed at `use`: 30 days after the refresh, and at most
  /// 180 days after the login.
  public static func end(of begun: Instant, usedAt use: Instant) -> Instant {
    min(use + Lifetimes.refreshToken, begun + Lifetimes.session)
  }
}
