import Identifiers
import Synchronization

/// Wakes the one task that waits for it; a signal sent before the wait is not lost.
final class AsyncSignal: Sendable {
  private struct State {
    var isRung = false
    var isClosed = false
    /// When the waiting task stops waiting by itself.
    var wakesAt: Instant?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Wakes the waiting task, or the next one to wait.
  func send() {
    wake { $0.isRung = true }
  }

  /// Sends the signal unless the waiting task wakes by itself no later than `moment`; `nil` is an unknown moment.
  func send(for moment: Instant?) {
    let isNews = state.withLock { state in
      guard let moment, let wakesAt = state.wakesAt else { return true }
      return moment < wakesAt
    }
    if isNews { send() }
  }

  /// Wakes the waiting task, and every later one at once.
  func close() {
    wake { $0.isClosed = true }
  }

  /// Returns at a signal, also one sent since the last wait, once it is closed, or when the task is cancelled.
  ///
  /// - Parameter wakesAt: when the caller stops waiting by itself.
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
      // A task that is woken has consumed the signal.
      if state.waiter != nil { state.isRung = false }
      state.wakesAt = nil
      return state.waiter.take()
    }
    waiter?.resume()
  }
}
