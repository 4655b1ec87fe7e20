import Synchronization

/// A result that tasks can wait for: it is set at most once, and later waiters get it too.
final class ReadinessPromise: Sendable {
  /// `pending` becomes one of the others, which are final.
  private enum State {
    case pending([CheckedContinuation<Bool, Never>])
    case made(Bool)
  }

  private let state = Mutex(State.pending([]))

  /// The result; suspends until it is set.
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

  /// Sets the result and resumes every waiter; only the first call has an effect.
  func make(_ outcome: Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard case .pending(let waiting) = state else { return [] }
      state = .made(outcome)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
