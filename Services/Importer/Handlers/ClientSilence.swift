import Environment
import Identifiers
import Synchronization
import TTRPC
import TandemImporter

/// How long a client may send nothing while the service waits for it. What the service itself takes counts for nothing.
struct ClientSilence: Sendable {
  private let clock: any WallClock
  private let limit: Duration
  private let wait = Wait()

  /// How long the service has waited since the last bytes came.
  private final class Wait: Sendable {
    struct State {
      /// Of the times before.
      var before = Duration.zero
      /// When it began to wait again; `nil` while it does not.
      var since: Instant?
    }

    let state = Mutex(State())
  }

  init(clock: any WallClock, limit: Duration) { (self.clock, self.limit) = (clock, limit) }

  /// Waits for what the client sends; messages without bytes do not end the silence.
  func next(_ messages: inout MessageStream<ImportFileRequest>.Iterator) async throws -> ImportFileRequest? {
    let began = clock.now
    wait.state.withLock { $0.since = began }
    let message = try await messages.next()
    let waited = clock.now - began
    wait.state.withLock { state in
      state.before = message?.chunk.isEmpty == true ? state.before + waited : .zero
      state.since = nil
    }
    return message
  }

  /// Ends with the refusal of a client that was silent for too long.
  func watch() async throws {
    while true {
      let now = clock.now
      let end = wait.state.withLock { ($0.since ?? now) + (limit - $0.before) }
      guard now < end else { throw Status.uploadIdle }
      // One that falls silent meanwhile is looked at again after half of its time.
      try await clock.wait(until: end, atMost: limit / 2)
    }
  }
}

extension Status {
  fileprivate static let uploadIdle = Status(ImporterReason.uploadIdle, "Nothing was sent for too long")
}
