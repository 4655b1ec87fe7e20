import AsyncSignal
import Synchronization
import TTRPC
import TandemChat

/// The events that wait for one stream's client, bounded.
final class EventQueue: Sendable {
  private struct State {
    var events: [ChatEvent] = []
    var hasOverflowed = false
    /// With what the stream ends, whatever waits.
    var end: Status?
    /// How many were added, and how many of them were passed on to the client.
    var (added, passedOn) = (0, 0)
  }

  /// Sent when there are events, or the stream is to end.
  let wake = AsyncSignal()
  private let progress = AsyncSignal()
  private let state = Mutex(State())

  /// A client that has so many unread gets none, and reads them from the database when it connects again.
  private static let most = 2_000

  /// Adds events; the caller calls ``AsyncSignal/send()`` of ``wake`` once it holds no lock.
  func append(_ events: [ChatEvent]) {
    state.withLock { state in
      guard !state.hasOverflowed else { return }
      if state.events.count + events.count > Self.most {
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

  /// Ends the stream with a status, without what waits.
  func end(_ status: Status) {
    state.withLock { $0.end = $0.end ?? status }
    wake.send()
  }

  func put(_ event: ChatEvent) {
    append([event])
    wake.send()
  }

  /// The events that wait.
  ///
  /// - Throws: RESOURCE_EXHAUSTED `EVENTS_UNREAD` when the client has not read for too long; what the stream was ended with.
  func take() throws(Status) -> [ChatEvent] {
    let (events, hasOverflowed, end) = state.withLock { state in
      defer { state.events = [] }
      return (state.events, state.hasOverflowed, state.end)
    }
    if let end { throw end }
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
