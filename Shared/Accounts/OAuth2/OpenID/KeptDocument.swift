import Environment
import Identifiers

/// A server's document that is fetched when it is needed, by one task at a time, and cached.
///
/// Unauthenticated clients decide when it is needed, so the server is asked at most once in a pause, however often that
/// is.
actor KeptDocument<Value: Sendable> {
  /// How long a fetched document is used.
  struct Terms: Sendable {
    /// After this time it is fetched again.
    let lifetime: Duration
    /// After this time it is not used any more even if the server fails.
    let maxUse: Duration
    /// The least time between two fetches, after one that succeeded, and after one that failed.
    let pause: Duration
    let pauseAfterFailure: Duration
  }

  private var kept: (value: Value, fetched: Instant)?
  private var lastAttempt: (at: Instant, failure: OAuth2Failure?)?
  private var isBeingFetched = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private let terms: Terms
  private let clock: any WallClock
  private let fetch: @Sendable () async throws(OAuth2Failure) -> Value

  init(
    _ terms: Terms, clock: any WallClock, fetch: @escaping @Sendable () async throws(OAuth2Failure) -> Value
  ) {
    self.terms = terms
    self.clock = clock
    self.fetch = fetch
  }

  /// The document, as recent as the terms allow.
  ///
  /// - Parameter isLacking: whether a document lacks what is needed, so that a newer one is worth fetching.
  /// - Returns: a document that may still be lacking, where the server has no other or was asked a moment ago.
  func value(
    unless isLacking: @Sendable (Value) -> Bool = { _ in false }
  ) async throws(OAuth2Failure) -> Value {
    while true {
      let now = clock.now
      if let kept, isWithin(terms.lifetime, of: kept.fetched, now), !isLacking(kept.value) { return kept.value }
      if isBeingFetched {
        await withCheckedContinuation { waiting.append($0) }
      } else if let lastAttempt, isWithin(pause(after: lastAttempt.failure), of: lastAttempt.at, now) {
        if let kept, isWithin(terms.maxUse, of: kept.fetched, now) { return kept.value }
        throw lastAttempt.failure ?? .temporary(reason: "the document is too old", retryAfter: terms.pause)
      } else {
        try await fetchAnew(at: now)
      }
    }
  }

  private func fetchAnew(at now: Instant) async throws(OAuth2Failure) {
    isBeingFetched = true
    defer {
      isBeingFetched = false
      for one in waiting { one.resume() }
      waiting = []
    }
    do {
      kept = (try await fetch(), now)
      lastAttempt = (now, nil)
    } catch {
      // A cancelled fetch says nothing about the server; the next task in turn asks it.
      if Task.isCancelled { throw error }
      lastAttempt = (now, error)
    }
  }

  private func pause(after failure: OAuth2Failure?) -> Duration {
    switch failure {
    case nil: terms.pause
    case .temporary(_, let asked?): max(asked, terms.pauseAfterFailure)
    default: terms.pauseAfterFailure
    }
  }

  /// False for a time in the future, so that a clock that was set back extends nothing.
  private func isWithin(_ duration: Duration, of instant: Instant, _ now: Instant) -> Bool {
    (.zero..<duration).contains(now - instant)
  }
}
