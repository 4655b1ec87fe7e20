import Logging
import Postgres
import Synchronization
import TTRPC
import TandemEvents
import TestServices
import TestSupport
import Testing

@testable import Events

@Suite("following that fails", .timeLimit(.minutes(5)))
struct EventStreamWatchTests {
  @Test("a producer that does not answer for a while is told of once, and once again when it does")
  func silence() async throws {
    let lines = Lines()
    let watch = EventStreamWatch(every: .milliseconds(1), logger: Logger(label: "watch") { _ in lines })
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

  @Test("[O-10] a failover is no warning of each consumer's, and a failure that stays is one less and less often")
  func rareWarnings() {
    var failures = FollowFailures()
    let outage = PostgresError(kind: .unavailable, sqlState: "08006", message: "the connection was lost")
    let refused = Status(.permissionDenied, "not this one")

    #expect(failures.level(of: outage) == .debug)
    #expect(failures.level(of: Status(.unavailable, "it starts")) == .debug)
    let levels = (1...64).map { _ in failures.level(of: refused) }
    #expect(levels.indices.filter { levels[$0] == .warning }.map { $0 + 1 } == [1, 2, 4, 8, 16, 32, 64])
    failures.reset()
    #expect(failures.level(of: refused) == .warning)
  }

  @Test("a consumer that is refused every time says that it has not followed for a while")
  func refused() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        // The certificate is lending's.
        try await pair.consuming(from: "catalog", as: "matching", log) { lines in
          _ = try await eventually("it is missed") { lines.has("for a while") }
        }
      }
    }
  }

  @Test("[C-9] a consumer at another service's address says so, and passes by nothing")
  func otherAddress() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("a", [1])
        try await pair.consuming(from: "identity", as: "lending", log) { lines in
          _ = try await eventually("it says why") { lines.has("the address is the wrong one") }
        }
        #expect(try await pair.sql("select consumer from catalog.event_consumers").isEmpty)
        #expect(try await pair.sql("select consumer from lending.event_cursors").isEmpty)
      }
    }
  }
}

extension Pair {
  /// Follows a producer as a service does, at the producer's address, while `body` checks what is logged.
  fileprivate func consuming(
    from producer: String, as service: String, _ log: Log, _ body: @escaping @Sendable (Lines) async throws -> Void
  ) async throws {
    let lines = Lines()
    try await database.opened(as: "lending") { own in
      let consumer = EventConsumer(
        EventSubscription(of: producer, handlers: [EventHandler(of: SessionRevoked.self) { _, _ in }]), for: service,
        through: log.client, database: own, clock: clock, logger: Logger(label: "watch") { _ in lines },
        maxWait: .milliseconds(5), look: .milliseconds(2))
      try await withThrowingTaskGroup { group in
        group.addTask { try await consumer.run() }
        try await body(lines)
        group.cancelAll()
      }
    }
  }
}

/// Collects what is logged at `notice` or above.
private struct Lines: LogHandler {
  private final class Store: Sendable {
    let lines = Mutex<[(Logger.Level, String)]>([])
  }

  private let store = Store()
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice

  var levels: [Logger.Level] { store.lines.withLock { $0.map(\.0) } }

  /// Whether a line contains the text; `nil` if none does.
  func has(_ text: String) -> Bool? { store.lines.withLock { $0.contains { $0.1.contains(text) } } ? true : nil }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    store.lines.withLock { $0.append((event.level, "\(event.message) \(event.metadata ?? [:])")) }
  }
}
