import AsyncSignal
import Synchronization
import TTRPC
import TandemChat

/// The events that wait for one stream's client, bounded.
final class EventQueue: Sendable {
  private struct State {
    var events: [ChatEvent] = []
    var hasOverflowed = false
    /// How many were added, and how many of them were passed on to the client.
    var (added, passedOn) = (0, 0)
  }

  /// Sent when there are events, and now and then besides, so that the token is looked at.
  let wake = AsyncSignal()
  private let progress = AsyncSignal()
  private let state = Mutex(State())

  /// A client that has so many unread gets none, and reads them from the database when it connects again.
  private static let maxCount = 2_000

  /// Adds events; the caller calls ``AsyncSignal/send()`` of ``wake`` once it holds no lock.
  func append(_ events: [ChatEvent]) {
    state.withLock { state in
      guard !state.hasOverflowed else { return }
      if state.events.count + events.count > Self.maxCount {
        state.hasOverflowed = true
        state.events = []
      } else {
        state.events += events
        state.added += events.count
      }
    }
  }

  /// Has the client read from the database when it connects again.
  func overflow() { state.withLock { ($0.hasOverflowed, $0.events) = (true, []) } }

  func put(_ event: ChatEvent) {
    append([event])
    wake.send()
  }

  /// The events that wait.
  ///
  /// - Throws: RESOURCE_EXHAUSTED `EVENTS_UNREAD` when the client has not read for too long.
  func take() throws(Status) -> [ChatEvent] {
    let (events, hasOverflowed) = state.withLock { state in
      defer { state.events = [] }
      return (state.events, state.hasOverflowed)
    }
    if hasOverflowed { throw .eventsUnread }
    return events
  }
  /// Says that events which were taken have been passed on to the client.
  func passedOn(_ count: Int) {
    state.withLock { $0.passedOn += count }
    progress.send()
  }

  /// Waits until what was added before has been passed on, so that what a client missed is read as fast as the client reads; for one task.
  ///
  /// - Throws: CancellationError when the stream ends meanwhile.
  func waitForClient() async throws {
    let target = state.withLock { $0.added }
    while state.withLock({ $0.passedOn < target }) {
      guard await progress.wait() else { throw CancellationError() }
    }
  }
}
