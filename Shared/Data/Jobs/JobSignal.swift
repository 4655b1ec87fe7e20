import AsyncSignal
import Identifiers
import Synchronization

/// Wakes the worker that waits for the next due job.
final class JobSignal: Sendable {
  private let signal = AsyncSignal()
  /// Until when the worker waits in any case; `nil` while it does not wait, or does not know.
  private let wakesAt = Mutex<Instant?>(nil)

  /// Whether the worker is to end.
  var isFinished: Bool { signal.isFinished }

  /// Wakes the worker, now or when it next waits.
  func send() { signal.send() }

  /// Wakes the worker unless it looks at `moment` anyway; `nil` is a moment that is not known.
  func send(for moment: Instant?) {
    if let moment, let wakesAt = wakesAt.withLock({ $0 }), moment >= wakesAt { return }
    signal.send()
  }

  /// Ends the wait and all later ones.
  func finish() { signal.finish() }

  /// Returns when a signal was sent since the last wait, when it is finished, or when the task is cancelled.
  ///
  /// - Parameter moment: when the caller stops waiting by itself.
  func wait(until moment: Instant?) async {
    wakesAt.withLock { $0 = moment }
    await signal.wait()
    wakesAt.withLock { $0 = nil }
  }
}
