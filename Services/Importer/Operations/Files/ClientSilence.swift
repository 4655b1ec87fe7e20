import Environment
import Identifiers
import Synchronization

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

  /// Waits for what the client sends; parts without bytes do not end the silence.
  func next(of upload: some FileUpload) async throws -> FilePart? {
    let began = clock.now
    wait.state.withLock { $0.since = began }
    let part = try await upload.next()
    let waited = clock.now - began
    wait.state.withLock { state in
      state.before = part?.chunk.isEmpty == true ? state.before + waited : .zero
      state.since = nil
    }
    return part
  }

  /// Throws once a client was silent for too long.
  func watch() async throws {
    while true {
      let now = clock.now
      let end = wait.state.withLock { ($0.since ?? now) + (limit - $0.before) }
      guard now < end else { throw FileImportRefusal.idle }
      // One that falls silent meanwhile is looked at again after half of its time.
      try await clock.wait(until: end, atMost: limit / 2)
    }
  }
}
