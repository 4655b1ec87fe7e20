import Environment
import Identifiers

/// A document of a server's that is fetched when somebody needs it, by one at a time, and kept for a while.
///
/// Strangers decide when it is needed, so however often that is the server is asked at most once in a pause.
actor KeptDocument<Value: Sendable> {
  /// How long what was fetched serves.
  struct Terms: Sendable {
    /// After which it is fetched anew.
    let lifetime: Duration
    /// After which it does not serve any more even where the server fails.
    let maxUse: Duration
    /// Between two fetches of which the first succeeded, and failed.
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

  /// The document, as young as it may be asked for.
  ///
  /// - Parameter isLacking: whether a document does not have what it should, so that a younger one is worth a look.
  /// - Returns: one that is lacking all the same, where the server has no other or was asked a moment ago.
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
      // Who was cancelled knows nothing of the server; the next in turn asks it.
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

  /// A clock that was set back keeps nothing for longer.
  private func isWithin(_ duration: Duration, of instant: Instant, _ now: Instant) -> Bool {
    (.zero..<duration).contains(now - instant)
  }
}
