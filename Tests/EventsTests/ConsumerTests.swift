import Environment
import Postgres
import Synchronization
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("effects of another service's events", .timeLimit(.minutes(5)))
struct ConsumerTests {
  @Test("every event takes effect once and in order, also those that were told while the consumer was down")
  func once() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("a", 1...3)
        try await pair.listening(to: log.port) {
          try await log.tell("a", 4...6)
          #expect(try await pair.handlers(6) == (1...6).map { "a=\($0)" })
        }
        try await log.tell("a", 7...9)
        try await pair.listening(to: log.port) {
          let handlers = try await pair.handlers(9)
          #expect(handlers == (1...9).map { "a=\($0)" })
        }
      }
    }
  }

  @Test("a producer that was down is followed again, and nothing is lost or told twice")
  func producerRestarts() async throws {
    try await Pair.with { pair in
      let port = Mutex(0)
      try await pair.telling { log in
        port.withLock { $0 = log.port }
        try await log.tell("a", 1...2)
      }
      try await pair.listening(to: port.withLock { $0 }) {
        for round in 0..<2 {
          try await pair.telling(at: port.withLock { $0 }) { log in
            try await log.tell("a", [3 + round])
            _ = try await pair.handlers(3 + round)
          }
        }
      }
      #expect(try await pair.handlers() == (1...4).map { "a=\($0)" })
    }
  }

  @Test("two replicas of a consumer apply each event once between them")
  func replicas() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await pair.listening(to: log.port) {
          try await pair.listening(to: log.port) {
            for key in ["a", "b", "c"] { try await log.tell(key, 1...20) }
            _ = try await pair.handlers(60)
          }
          try await log.tell("d", [1])
          let handlers = try await pair.handlers(61)
          #expect(handlers == ["a", "b", "c"].flatMap { key in (1...20).map { "\(key)=\($0)" } } + ["d=1"])
        }
      }
    }
  }

  @Test("an event whose effect fails holds up what comes after it of its key, and not what came before")
  func poison() async throws {
    try await Pair.with { pair in
      let url = pair.database.url(of: "lending")
      let poison = Poison()
      Consumer.obstacles.withLock { $0[url] = { try poison.pass($0) } }
      defer { Consumer.obstacles.withLock { $0[url] = nil } }
      try await pair.telling { log in
        try await log.runtime.database.transaction { tx in
          for value in 1...5 { try await log.publish("a", "\(value)", in: tx) }
        }
        try await pair.listening(to: log.port) {
          #expect(try await pair.handlers(2) == ["a=1", "a=2"])
          _ = try await eventually("it was tried several times") { poison.tries >= 4 ? true : nil }
          #expect(try await pair.handlers() == ["a=1", "a=2"])
          poison.cure()
          #expect(try await pair.handlers(5) == (1...5).map { "a=\($0)" })
        }
      }
    }
  }

  /// An effect that fails for the value 3 until it is cured.
  private final class Poison: Sendable {
    struct Poisoned: Error {}
    private let isPoisonous = Atomic<Bool>(true)
    private let attempts = Atomic<Int>(0)

    var tries: Int { attempts.load(ordering: .relaxed) }

    func cure() { isPoisonous.store(false, ordering: .relaxed) }

    func pass(_ value: String) throws {
      guard value == "3" else { return }
      attempts.add(1, ordering: .relaxed)
      if isPoisonous.load(ordering: .relaxed) { throw Poisoned() }
    }
  }

  @Test("a consumer that was forgotten is told that events are gone, resyncs, and goes on")
  func resyncs() async throws {
    try await Pair.with { pair in
      let url = pair.database.url(of: "lending")
      Consumer.resyncs.withLock {
        $0[url] = { _ in { tx in try await tx.execute(RebuiltEffect()) } }
      }
      defer { Consumer.resyncs.withLock { $0[url] = nil } }
      try await pair.telling { log in
        try await log.tell("a", [1])
        try await pair.listening(to: log.port) { _ = try await pair.handlers(1) }
        try await log.tell("a", [2])
        try await pair.pass(days: 40)
        try await log.sweepEverything()

        try await pair.listening(to: log.port) {
          #expect(try await pair.handlers(2) == ["a=1", "a=rebuilt"])
          try await log.tell("a", [3])
          #expect(try await pair.handlers(3) == ["a=1", "a=rebuilt", "a=3"])
        }
      }
    }
  }
}

extension ConsumerTests {
  @Test("of two replicas that resync at once one stores what it gathered, and nothing takes effect again")
  func rebuildsAtOnce() async throws {
    try await Pair.with { pair in
      let url = pair.database.url(of: "lending")
      let arrivals = Arrivals()
      Consumer.resyncs.withLock {
        $0[url] = { _ in
          await arrivals.waitForBoth()
          return { tx in try await tx.execute(RebuiltEffect()) }
        }
      }
      defer { Consumer.resyncs.withLock { $0[url] = nil } }
      try await pair.telling { log in
        try await log.tell("a", [1])
        try await pair.listening(to: log.port) { _ = try await pair.handlers(1) }
        try await log.tell("a", [2])
        try await pair.pass(days: 40)
        try await log.sweepEverything()

        try await pair.listening(to: log.port) {
          try await pair.listening(to: log.port) {
            _ = try await pair.handlers(2)
            try await log.tell("a", 3...5)
            _ = try await pair.handlers(5)
          }
          try await log.tell("a", [6])
          #expect(try await pair.handlers(6) == ["a=1", "a=rebuilt", "a=3", "a=4", "a=5", "a=6"])
        }
      }
    }
  }
}

/// Holds the first of two until the second arrives.
private final class Arrivals: Sendable {
  private let count = Atomic<Int>(0)
  private let bothArrived = Gate()

  func waitForBoth() async {
    if count.add(1, ordering: .relaxed).newValue == 2 { bothArrived.open() }
    await bothArrived.pass()
  }
}

private struct RebuiltEffect: Statement {
  typealias Row = Void
  static let sql = "insert into effects (key, value, lag_ms) values ('a', 'rebuilt', 0)"
}

extension Pair {
  /// Advances the clocks of the log, as those of a running service would.
  func pass(days: Int) async throws {
    try await sql("update catalog.event_log set retention_time = retention_time + \(days) * interval '1 day'")
  }
}

extension Log {
  /// Sweeps until nothing is left; while other transactions on the same server are open, events newer than they are stay.
  func sweepEverything() async throws {
    _ = try await eventually("all events have been removed") { () -> Bool? in
      try await sweep(kept: .seconds(7 * 86_400), timeout: .seconds(30 * 86_400))
      return try await runtime.database.rows(AnyEvent()).isEmpty ? true : nil
    }
  }

  /// What the service does periodically.
  func sweep(kept: Duration, timeout: Duration) async throws {
    try await retention(kept: kept, timeout: timeout).sweep()
  }

  func retention(kept: Duration, timeout: Duration) -> EventRetention {
    let log = EventLog(
      of: "catalog", database: runtime.database, live: runtime.live, clock: runtime.environment.clock,
      logger: runtime.logger)
    return EventRetention(of: log, kept: kept, consumerTimeout: timeout, logger: runtime.logger)
  }
}

private struct AnyEvent: Statement {
  typealias Row = Int64
  static let sql = "select id from events limit 1"
}
