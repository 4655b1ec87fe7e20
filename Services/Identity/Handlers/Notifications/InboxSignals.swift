import AsyncSignal
import Synchronization

/// The signals for one reader of an inbox. Each is the highest sequence number up to which there may be notifications.
/// Only one task may iterate.
///
/// Signals that were not consumed are merged into one with the highest number, so that a poll which found less does not
/// hide what an earlier signal reported.
struct InboxSignals: AsyncSequence, Sendable {
  /// The signal's value when the newest number is not known.
  static let unknown = Int64.max

  private let subscription: Subscription

  init(_ signal: InboxSignal, leave: @escaping @Sendable () -> Void) { subscription = Subscription(signal, leave) }

  func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscription, signal: subscription.signal.signal.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription
    fileprivate var signal: AsyncSignal.Iterator

    /// The next signal; `nil` at the end, and when the task is cancelled.
    mutating func next() async -> Int64? {
      while await signal.next() != nil {
        if let reach = subscription.signal.take() { return reach }
      }
      return nil
    }
  }

  /// The reader's registration with the watch, which ends with the last reference to it.
  fileprivate final class Subscription: Sendable {
    let signal: InboxSignal
    private let leave: @Sendable () -> Void

    init(_ signal: InboxSignal, _ leave: @escaping @Sendable () -> Void) {
      self.signal = signal
      self.leave = leave
    }

    deinit { leave() }
  }
}

/// The sending side of the signals for one reader.
final class InboxSignal: Sendable {
  fileprivate let signal = AsyncSignal()
  /// The highest number that was signalled and not consumed.
  private let reach = Mutex<Int64?>(nil)

  func send(upTo position: Int64) {
    reach.withLock { $0 = max($0 ?? position, position) }
    signal.send()
  }

  func end() { signal.finish() }

  fileprivate func take() -> Int64? { reach.withLock { $0.take() } }
}
