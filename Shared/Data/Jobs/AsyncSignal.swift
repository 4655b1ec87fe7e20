import Identifiers
import Synchronization

/// Wakes the one who waits for it, who finds a ring that came before as well.
final class AsyncSignal: Sendable {
  private struct State {
    var isRung = false
    var isClosed = false
    /// Until when the one who waits will wait in any case.
    var wakesAt: Instant?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether nobody needs to wait any more.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Wakes the one who waits, now or when it next waits.
  func send() {
    wake { $0.isRung = true }
  }

  /// Rings unless the one who waits will look at `moment` anyway; `nil` is a moment that is not known.
  func send(for moment: Instant?) {
    let isNews = state.withLock { state in
      guard let moment, let wakesAt = state.wakesAt else { return true }
      return moment < wakesAt
    }
    if isNews { send() }
  }

  /// Wakes the one who waits, and every later one at once.
  func close() {
    wake { $0.isClosed = true }
  }

  /// Returns when it rings, or has rung since the last time, or is closed, or the task is cancelled.
  ///
  /// - Parameter wakesAt: when the caller will stop waiting by itself.
  func wait(until wakesAt: Instant?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isOver = state.withLock { state in
          precondition(state.waiter == nil, "two wait for one bell")
          if state.isRung || state.isClosed || Task.isCancelled {
            state.isRung = false
            return true
          }
          state.wakesAt = wakesAt
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake { _ in }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      // Who is woken has heard it.
      if state.waiter != nil { state.isRung = false }
      state.wakesAt = nil
      return state.waiter.take()
    }
    waiter?.resume()
  }
}
