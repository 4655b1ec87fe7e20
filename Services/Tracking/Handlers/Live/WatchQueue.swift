import AsyncSignal
import DequeModule
import Synchronization
import TTRPC
import TrackingDomain

/// What waits for one stream of a viewer: changes of its groups, and its own requests. Many may add, one task takes.
///
/// Bounded: a viewer for whom too many changes wait loses them all and gets no more.
final class WatchQueue: Sendable {
  enum Entry: Sendable {
    case change(FeedChange)
    /// The viewer adds and drops groups.
    case request(WatchOrder)
    /// Changes of the group are gone: it has to begin anew.
    case restart(GroupID)
    /// The group is gone.
    case gone(GroupID)
  }

  /// What a task takes at a time.
  struct Batch: Sendable {
    var entries: Deque<Entry>
    /// Whether changes behind these were lost.
    var isOverflown: Bool
  }

  private struct State {
    var entries = Deque<Entry>()
    var changes = 0
    var requests = 0
    var isOverflown = false
    var end: Status?
  }

  /// Requests of one stream that wait.
  static let maxRequests = 64

  private let state = Mutex(State())
  private let signal = AsyncSignal()
  private let maxChanges: Int

  /// - Parameter maxChanges: changes that may wait; viewers of the same group share their memory.
  init(maxChanges: Int) { self.maxChanges = maxChanges }

  /// Adds what a feed reports; its caller calls ``wake()`` afterwards, outside of its own lock.
  func append(_ entry: Entry) {
    state.withLock { state in
      guard state.end == nil, !state.isOverflown else { return }
      guard case .change = entry else { return state.entries.append(entry) }
      if state.changes < maxChanges {
        state.changes += 1
        return state.entries.append(entry)
      }
      state.isOverflown = true
      state.entries.removeAll()
    }
  }

  /// Adds a request of the viewer; false where too many wait.
  func request(_ order: WatchOrder) -> Bool {
    let isTaken = state.withLock { state in
      guard state.requests < Self.maxRequests else { return false }
      state.requests += 1
      state.entries.append(.request(order))
      return true
    }
    wake()
    return isTaken
  }

  func wake() { signal.send() }

  /// Ends the stream with `status` and drops what waits; has no effect after the first.
  func end(_ status: Status) {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = status
      state.entries.removeAll()
    }
    wake()
  }

  /// Throws the status with which the stream was ended.
  func checkOpen() throws(Status) {
    if let end = state.withLock({ $0.end }) { throw end }
  }

  /// What waits; suspends while nothing does. Returns `nil` when the task is cancelled.
  ///
  /// - Throws: the status with which the stream was ended.
  func next() async throws(Status) -> Batch? {
    while true {
      let (end, batch) = state.withLock { state -> (Status?, Batch) in
        defer {
          state.entries = []
          (state.changes, state.requests) = (0, 0)
        }
        return (state.end, Batch(entries: state.entries, isOverflown: state.isOverflown))
      }
      if let end { throw end }
      if batch.isOverflown || !batch.entries.isEmpty { return batch }
      guard await signal.wait() else { return nil }
    }
  }
}
