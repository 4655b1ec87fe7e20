import Identifiers

/// What using a refresh token leads to ([ID-6]).
public enum RefreshDecision: Sendable, Hashable {
  /// Its first use: replace it by a new pair.
  case rotate
  /// The client repeats its request because it lost the answer: give the same pair again.
  case repeatAnswer
  /// Somebody else has it too: end the whole session.
  case endSession
  /// The session was ended, or the token is past its 30 days, or the session past its 180.
  case refuse

  /// What is known of a refresh token.
  public struct Facts: Sendable {
    /// When its session began.
    public var begunAt: Instant
    /// When it was given out.
    public var issuedAt: Instant
    /// When it was used, and the request id of that use; `nil` before its first use.
    public var use: Use?
    /// When its session was ended; `nil` while the session lives.
    public var sessionEndedAt: Instant?

    /// The facts of one token.
    public init(begunAt: Instant, issuedAt: Instant, use: Use? = nil, sessionEndedAt: Instant? = nil) {
      (self.begunAt, self.issuedAt, self.use, self.sessionEndedAt) = (begunAt, issuedAt, use, sessionEndedAt)
    }
  }

  /// The first use of a refresh token.
  public struct Use: Sendable, Hashable {
    /// When it was.
    public var at: Instant
    /// The id of the request it came with, if any ([C-4]).
    public var requestID: UUID7?

    /// A use as it was recorded.
    public init(at: Instant, requestID: UUID7?) {
      (self.at, self.requestID) = (at, requestID)
    }
  }

  /// Decides about a token that was found by its hash and whose row is locked.
  ///
  /// - Parameter requestID: the id of the request it came with now, if any.
  public static func of(_ facts: Facts, requestID: UUID7?, now: Instant) -> RefreshDecision {
    if facts.sessionEndedAt != nil { return .refuse }
    if let use = facts.use {
      let isRepetition = requestID != nil && requestID == use.requestID && now - use.at <= Lifetimes.refreshReplay
      return isRepetition ? .repeatAnswer : .endSession
    }
    return now < SessionAge.end(of: facts.begunAt, usedAt: facts.issuedAt) ? .rotate : .refuse
  }
}

/// How old a session gets.
public enum SessionAge {
  /// When a session ends that began at `begun` and whose newest tokens are of `use`: 30 days after these, and at the latest 180 days after the
  /// login.
  public static func end(of begun: Instant, usedAt use: Instant) -> Instant {
    min(use + Lifetimes.refreshToken, begun + Lifetimes.session)
  }
}
