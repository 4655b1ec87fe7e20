import Synchronization

/// Wakes the one task that waits for it. Signals that are sent before the task waits count as one.
///
/// As a sequence it has an element for each time the task is woken, and ends when the signal is finished or the task is cancelled.
public final class AsyncSignal: AsyncSequence, Sendable {
  public typealias Element = Void

  private struct State {
    var isSent = false
    var isFinished = false
    var waiter: CheckedContinuation<Bool, Never>?
  }

  private let state = Mutex(State())

  public init() {}

  /// Whether ``finish()`` was called.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Wakes the task, now or when it next waits. Has no effect after ``finish()``.
  public func send() {
    let waiter = state.withLock { state in
      state.isSent = state.waiter == nil && !state.isFinished || state.isSent
      return state.waiter.take()
    }
    waiter?.resume(returning: true)
  }

  /// Ends the wait and all later ones, but for a signal that was sent before.
  public func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      return state.waiter.take()
    }
    waiter?.resume(returning: false)
  }

  /// Waits for a signal, or takes the one that was sent since the last wait. Only one task may wait at a time.
  ///
  /// - Returns: `false` when the signal is finished or the task is cancelled; a signal that was sent stays for the next wait then.
  @discardableResult
  public func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let outcome: Bool? = state.withLock { state in
          precondition(state.waiter == nil, "two tasks wait for one signal")
          if Task.isCancelled { return false }
          if state.isSent {
            state.isSent = false
            return true
          }
          if state.isFinished { return false }
          state.waiter = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiter.take() }
      waiter?.resume(returning: false)
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(signal: self) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let signal: AsyncSignal

    public mutating func next() async -> Void? { await signal.wait() ? () : nil }
  }
}
