import Synchronization

/// News that is waited for: it comes at most once, and everyone who asks later hears it too.
final class ReadinessPromise: Sendable {
  /// `pending` becomes one of the others, which stay.
  private enum State {
    case pending([CheckedContinuation<Bool, Never>])
    case made(Bool)
  }

  private let state = Mutex(State.pending([]))

  /// Whether what was waited for came true; suspends until that is known.
  var outcome: Bool {
    get async {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Bool? in
          switch state {
          case .made(let outcome): return outcome
          case .pending(let waiting):
            state = .pending(waiting + [continuation])
            return nil
          }
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  /// Tells everyone; only the first call counts.
  func make(_ outcome: Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard case .pending(let waiting) = state else { return [] }
      state = .made(outcome)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
