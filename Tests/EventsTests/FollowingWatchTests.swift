import Logging
import Postgres
import Synchronization
import TandemEvents
import TestServices
import TestSupport
import Testing

@testable import Events

@Suite("following that fails", .timeLimit(.minutes(5)))
struct FollowingWatchTests {
  @Test("a producer that does not answer for a while is told of once, and once again when it does")
  func silence() async throws {
    let lines = Lines()
    let watch = FollowingWatch(every: .milliseconds(1), logger: Logger(label: "watch") { _ in lines })
    try await withThrowingTaskGroup { group in
      group.addTask { await watch.run() }
      _ = try await eventually("it is missed") { lines.levels == [.warning] ? true : nil }
      watch.began()
      _ = try await eventually("it is back") { lines.levels == [.warning, .notice] ? true : nil }
      watch.ended()
      _ = try await eventually("it is missed again") { lines.levels == [.warning, .notice, .warning] ? true : nil }
      group.cancelAll()
    }
  }

  @Test("a consumer that is refused every time says that it has not followed for a while")
  func refused() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        let lines = Lines()
        try await pair.database.opened(as: "lending") { own in
          // The certificate is lending's.
          let consumer = EventConsumer(
            ConsumerPlan(of: "catalog", effects: [EventEffect(of: SessionRevoked.self) { _, _ in }]), for: "matching",
            through: log.client, database: own, clock: pair.clock, logger: Logger(label: "watch") { _ in lines },
            longestWait: .milliseconds(5), look: .milliseconds(2))
          try await withThrowingTaskGroup { group in
            group.addTask { try await consumer.run() }
            _ = try await eventually("it is missed") {
              lines.texts.contains { $0.contains("for a while") } ? true : nil
            }
            group.cancelAll()
          }
        }
      }
    }
  }
}

/// Keeps what is logged at `notice` or above.
private struct Lines: LogHandler {
  private final class Store: Sendable {
    let lines = Mutex<[(Logger.Level, String)]>([])
  }

  private let store = Store()
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice

  var levels: [Logger.Level] { store.lines.withLock { $0.map(\.0) } }
  var texts: [String] { store.lines.withLock { $0.map(\.1) } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    store.lines.withLock { $0.append((event.level, "\(event.message)")) }
  }
}
