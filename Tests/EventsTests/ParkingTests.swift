import Environment
import Identifiers
import Postgres
import ProtobufC
import Synchronization
import TTRPC
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("events that cannot be applied", .timeLimit(.minutes(5)))
struct ParkingTests {
  @Test("others pass a failing event by, later ones of its key wait for it, and all have their effect once it is cured")
  func others() async throws {
    try await Pair.with { pair in
      let poison = Poison("3")
      try await poison.spoiling(pair) {
        try await pair.telling { log in
          try await log.tell("a", 1...5)
          try await log.tell("b", 11...13)
          try await pair.listening(to: log.port) {
            let handlers = try await pair.handlers(5)
            #expect(handlers == ["a=1", "a=2", "b=11", "b=12", "b=13"])
          }
          #expect(try await pair.parked() == ["a 3", "a 4", "a 5"])
          // What is parked outlives the process, and so does the order of the key.
          try await log.tell("a", [6])
          try await log.tell("b", [14])
          try await pair.listening(to: log.port) {
            _ = try await pair.handlers(6)
            poison.cure()
            let handlers = try await pair.handlers(10)
            #expect(handlers.filter { $0.hasPrefix("a") } == (1...6).map { "a=\($0)" })
            try await until("nothing is parked") { try await pair.parked().isEmpty }
          }
        }
      }
    }
  }

  @Test("an event that an operator skips holds up nobody, and is applied when it is retried after all")
  func skipped() async throws {
    try await Pair.with { pair in
      let poison = Poison("2")
      try await poison.spoiling(pair) {
        try await pair.telling { log in
          try await log.tell("a", 1...3)
          try await pair.listening(to: log.port) {
            try await until("the failing event and its follower are parked") {
              try await pair.parked() == ["a 2", "a 3"]
            }
            let id = try #require(try await pair.sql("select id from lending.parked_events where attempts > 0")[0][0])
            try await pair.change { SkipParkedEvent(id: $0) }
            #expect(try await pair.handlers(2) == ["a=1", "a=3"])
            poison.cure()
            try await log.tell("a", [4])
            #expect(try await pair.handlers(3) == ["a=1", "a=3", "a=4"])
            #expect(try await pair.sql("select id from lending.parked_events") == [[id]])
            try await pair.change { RetryParkedEvent(id: $0) }
            #expect(try await pair.handlers(4) == ["a=1", "a=3", "a=4", "a=2"])
          }
        }
      }
    }
  }

  @Test("an event whose time is out of range, and one whose payload is none, are parked like any other")
  func unreadable() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("late", [1])
        try await log.tell("torn", [2])
        try await pair.sql(
          """
          update catalog.events set occurred_at = '20000-01-01T00:00Z' where key = 'late';
          update catalog.events set payload = '\\x0aff' where key = 'torn'
          """)
        try await log.tell("good", [3])
        try await pair.listening(to: log.port) {
          let handlers = try await pair.handlers(1)
          #expect(handlers == ["good=3"])
          #expect(try await pair.parked() == ["late 1", "torn \\x0aff"])
        }
      }
    }
  }

  @Test("two replicas that retry a parked event apply it once, and in its place")
  func replicas() async throws {
    try await Pair.with { pair in
      let poison = Poison("1")
      try await poison.spoiling(pair) {
        try await pair.telling { log in
          for key in ["a", "b", "c"] { try await log.tell(key, 1...5) }
          try await pair.listening(to: log.port) {
            try await pair.listening(to: log.port) {
              try await until("all is parked") { try await pair.parked().count == 15 }
              poison.cure()
              for key in ["a", "b", "c"] { try await log.tell(key, 6...10) }
              let handlers = try await pair.handlers(30)
              for key in ["a", "b", "c"] {
                #expect(handlers.filter { $0.hasPrefix(key) } == (1...10).map { "\(key)=\($0)" })
              }
            }
          }
          #expect(try await pair.handlers().count == 30)
        }
      }
    }
  }

  @Test("beyond its limits nothing more is parked: the position stays where it is, and nothing is lost")
  func limits() async throws {
    try await Pair.with { pair in
      let poison = Poison("1")
      try await pair.telling { log in
        try await log.tell("a", 1...6)
        var limits = ParkingLimits()
        limits.eventsOfKey = 3
        limits.look = .milliseconds(20)
        limits.shortestWait = .milliseconds(20)
        limits.maxWait = .milliseconds(20)
        let effect = EventHandler(of: SessionRevoked.self) { event, tx in
          try poison.pass(event.message.userID)
          try await tx.execute(NoteEffect(key: event.key, value: event.message.userID))
        }
        try await pair.consuming(from: log, [effect], limits) {
          try await until("three are parked") { try await pair.parked() == ["a 1", "a 2", "a 3"] }
          // It stays so, however often the next one is tried.
          _ = try await eventually("it was tried more often") { poison.tries > 20 ? true : nil }
          #expect(try await pair.parked() == ["a 1", "a 2", "a 3"])
          #expect(try await pair.handlers().isEmpty)
          poison.cure()
          #expect(try await pair.handlers(6) == (1...6).map { "a=\($0)" })
        }
      }
    }
  }

  @Test("attempts at a parked event are a second apart at first, and five minutes in the end")
  func backOff() {
    let limits = ParkingLimits()
    #expect([5, 6, 7, 13, 14, .max].map { limits.wait(after: $0) } == [1, 2, 4, 256, 300, 300].map { .seconds($0) })
  }
}

private struct NoteEffect: Statement {
  typealias Row = Void
  static let sql = "insert into effects (key, value, lag_ms) values ($1, $2, 0)"
  let key: String
  let value: String

  func bind(_ p: inout Parameters) {
    p.append(key)
    p.append(value)
  }
}

/// Effects that fail for one value until they are cured.
private final class Poison: Sendable {
  private struct Poisoned: Error {}
  private let value: String
  private let isPoisonous = Atomic<Bool>(true)
  private let attempts = Atomic<Int>(0)

  init(_ value: String) { self.value = value }

  var tries: Int { attempts.load(ordering: .relaxed) }

  func cure() { isPoisonous.store(false, ordering: .relaxed) }

  func pass(_ value: String) throws {
    guard value == self.value else { return }
    attempts.add(1, ordering: .relaxed)
    if isPoisonous.load(ordering: .relaxed) { throw Poisoned() }
  }

  /// Runs `body` while it blocks the pair's consumers.
  func spoiling(_ pair: Pair, _ body: () async throws -> Void) async throws {
    let url = pair.database.url(of: "lending")
    Consumer.obstacles.withLock { $0[url] = { try self.pass($0) } }
    defer { Consumer.obstacles.withLock { $0[url] = nil } }
    try await body()
  }
}

extension Pair {
  /// `key value` of the events that are parked and not skipped, in their order.
  fileprivate func parked() async throws -> [String] {
    let rows = try await sql(
      """
      select e.key, e.payload from lending.parked_events p
      join catalog.events e on (e.transaction_id, e.id) = (p.transaction_id, p.event_id)
      where p.skipped_at is null order by e.key, e.transaction_id, e.id
      """)
    return try rows.map { row in
      let (key, payload) = (row[0] ?? "", row[1] ?? "")
      let bytes = stride(from: 2, to: payload.count, by: 2).compactMap { place in
        UInt8(payload.dropFirst(place).prefix(2), radix: 16)
      }
      do { return "\(key) \(try SessionRevoked(serialized: bytes).userID)" } catch is ProtobufError {
        return "\(key) \(payload)"
      }
    }
  }

  /// Does what an operator does to an event that failed or was skipped.
  fileprivate func change<S: Statement>(_ statement: (UUID7) -> S) async throws {
    let found = try await sql(
      "select id from lending.parked_events order by transaction_id, event_id limit 1")
    let id = try #require(found.first?.first?.flatMap { $0 }.flatMap { UUID7($0) })
    try await database.opened(as: "lending") { _ = try await $0.write(statement(id)) }
  }

  /// Follows as a separate service does, with its own limits.
  func consuming(
    from log: Log, _ effects: [EventHandler], _ limits: ParkingLimits = ParkingLimits(),
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await database.opened(as: "lending") { database in
      let consumer = EventConsumer(
        EventSubscription(of: "catalog", handlers: effects), for: "lending", through: log.client, database: database,
        clock: SystemClock(), logger: log.runtime.logger, maxWait: .milliseconds(20), parking: limits)
      try await withThrowingTaskGroup { group in
        group.addTask { try await consumer.run() }
        try await body()
        group.cancelAll()
      }
    }
  }
}
