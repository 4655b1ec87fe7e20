import AsyncSignal
import Synchronization

/// The rings for one reader of an inbox: each says up to which number there may be notifications. One task reads them.
///
/// Rings that were not taken become one, which reaches as far as the farthest of them: a look that found less does not take back what another
/// ring has said.
struct InboxSignals: AsyncSequence, Sendable {
  /// As far as anybody knows.
  static let unknown = Int64.max

  private let seat: Seat

  init(_ ringer: InboxSignal, leave: @escaping @Sendable () -> Void) { seat = Seat(ringer, leave) }

  func makeAsyncIterator() -> Iterator { Iterator(seat: seat, signal: seat.ringer.signal.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let seat: Seat
    fileprivate var signal: AsyncSignal.Iterator

    /// The next ring; `nil` at the end, and when the task is cancelled.
    mutating func next() async -> Int64? {
      while await signal.next() != nil {
        if let reach = seat.ringer.take() { return reach }
      }
      return nil
    }
  }

  /// A reader's place at the watch, left with the last reference to it.
  fileprivate final class Seat: Sendable {
    let ringer: InboxSignal
    private let leave: @Sendable () -> Void

    init(_ ringer: InboxSignal, _ leave: @escaping @Sendable () -> Void) {
      self.ringer = ringer
      self.leave = leave
    }

    deinit { leave() }
  }
}

/// Rings for one reader.
final class InboxSignal: Sendable {
  fileprivate let signal = AsyncSignal()
  /// How far the rings reach that were not taken.
  private let reach = Mutex<Int64?>(nil)

  func ring(upTo position: Int64) {
    reach.withLock { $0 = max($0 ?? position, position) }
    signal.send()
  }

  func end() { signal.finish() }

  fileprivate func take() -> Int64? { reach.withLock { $0.take() } }
}
