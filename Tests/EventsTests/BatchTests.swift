import Environment
import Postgres
import Synchronization
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("batches of events", .timeLimit(.minutes(5)))
struct BatchTests {
  @Test("events of one type are one group, wherever no other type of their key comes between")
  func groups() {
    func groups(_ events: [(type: String, key: String)]) -> [String] {
      EventBatch(events.map { Event(topic: "t", key: $0.key, type: $0.type) }).groups.map { group in
        group.type + group.events.map(\.key).joined()
      }
    }
    #expect(groups([]) == [])
    #expect(groups([("A", "1"), ("A", "2"), ("A", "1")]) == ["A121"])
    #expect(groups([("A", "1"), ("B", "2"), ("A", "3"), ("B", "4")]) == ["A13", "B24"])
    #expect(groups([("A", "1"), ("B", "1"), ("A", "1"), ("B", "1")]) == ["A1", "B1", "A1", "B1"])
    #expect(groups([("A", "1"), ("B", "1"), ("A", "2"), ("A", "1"), ("A", "3")]) == ["A12", "B1", "A13"])
    #expect(groups([("B", "2"), ("A", "1"), ("B", "1"), ("A", "1"), ("B", "2")]) == ["B2", "A1", "B12", "A1"])
  }

  @Test("events of one key on different topics are not in each other's order")
  func topics() {
    let events = [("x", "A"), ("y", "B"), ("x", "A"), ("y", "B")].map { Event(topic: $0, key: "1", type: $1) }
    #expect(EventBatch(events).groups.map(\.events.count) == [2, 2])
  }

  @Test("a batch that takes long is followed by smaller ones, down to single events, and by larger ones again")
  func sizes() {
    var size = BatchSize()
    #expect(size.count == 1_000)
    size.adapt(to: .milliseconds(300), for: 200)
    #expect(size.count == 100)
    for _ in 0..<20 { size.adapt(to: .milliseconds(300) * size.count, for: size.count) }
    #expect(size.count == 1)
    size.adapt(to: .milliseconds(20), for: 1)
    #expect(size.count == 2)
    // What fewer events took says nothing about more.
    size.adapt(to: .milliseconds(20), for: 1)
    #expect(size.count == 2)
    for _ in 0..<20 { size.adapt(to: .milliseconds(20), for: size.count) }
    #expect(size.count == 1_000)
  }

  @Test("a few events that take long do not make batches smaller: it is not their number")
  func smallSlowBatches() {
    var size = BatchSize()
    for events in [3, 1, 20, 49] { size.adapt(to: .milliseconds(300), for: events) }
    #expect(size.count == 1_000)
  }

  @Test("batches stay large where smaller ones take as long, as with a slow database")
  func slowWhateverTheSize() {
    var size = BatchSize()
    var least = size.count
    for _ in 0..<50 {
      // A response has 200 events.
      let events = min(200, size.count)
      size.adapt(to: .milliseconds(400) + .microseconds(10) * events, for: events)
      least = min(least, size.count)
    }
    #expect(least == 100)
  }

  @Test("an event that fails in the middle of a batch is parked alone, after few attempts at the others")
  func poison() async throws {
    try await Pair.with { pair in
      let url = pair.database.url(of: "lending")
      let attempts = Attempts(failing: "57")
      Consumer.obstacles.withLock { $0[url] = { try attempts.pass($0) } }
      defer { Consumer.obstacles.withLock { $0[url] = nil } }
      try await pair.telling { log in
        try await log.tellTogether((1...100).map { ("\($0)", $0) })
        try await pair.listening(to: log.port) {
          let handlers = try await pair.handlers(99)
          #expect(handlers == (1...100).filter { $0 != 57 }.map { "\($0)=\($0)" })
          let parked = try await pair.sql("select key from lending.parked_events")
          #expect(parked == [["57"]])
          // Seven batches from 100 events down to it, then five times alone; a try at it while it is parked may come in.
          #expect(attempts.count(of: "57") <= 14)
          #expect(attempts.count(of: "1") <= 3)
        }
      }
    }
  }

  @Test("where the connection is lost between two effects of a batch, all of it takes effect later, and once")
  func lostConnection() async throws {
    try await Pair.with { pair in
      let isFirst = Atomic<Bool>(true)
      let naming = EventHandler(batchesOf: AccountNamed.self) { events, tx in
        try await tx.execute(NoteEffects(events.map { ($0.key, $0.message.username) }))
      }
      let leaving = EventHandler(batchesOf: AccountDeleted.self) { events, tx in
        if isFirst.exchange(false, ordering: .relaxed) { try await tx.execute(EndOwnSession()) }
        try await tx.execute(NoteEffects(events.map { ($0.key, "left") }))
      }
      try await pair.telling { log in
        try await log.runtime.database.transaction { tx in
          for key in ["a", "b"] {
            try await log.runtime.events.publish(AccountNamed(userID: key, username: "1"), in: tx)
          }
          for key in ["a", "b"] { try await log.runtime.events.publish(AccountDeleted(userID: key), in: tx) }
        }
        try await pair.consuming(from: log, [naming, leaving]) {
          let handlers = try await pair.handlers(4)
          #expect(handlers == ["a=1", "b=1", "a=left", "b=left"])
        }
        let wasLost = !isFirst.load(ordering: .relaxed)
        #expect(wasLost)
        try await pair.consuming(from: log, [naming, leaving]) {
          try await log.runtime.database.transaction { tx in
            try await log.runtime.events.publish(AccountNamed(userID: "c", username: "2"), in: tx)
          }
          let handlers = try await pair.handlers(5)
          #expect(handlers == ["a=1", "b=1", "a=left", "b=left", "c=2"])
        }
      }
    }
  }

  @Test("events of one key keep their order in a batch, whatever their types")
  func order() async throws {
    try await Pair.with { pair in
      let batches = Mutex<[Int]>([])
      let naming = EventHandler(batchesOf: AccountNamed.self) { events, tx in
        batches.withLock { $0.append(events.count) }
        try await tx.execute(NoteEffects(events.map { ($0.key, $0.message.username) }))
      }
      let leaving = EventHandler(of: AccountDeleted.self) { event, tx in
        try await tx.execute(NoteEffects([(event.key, "left")]))
      }
      try await pair.telling { log in
        let events = log.runtime.events
        try await log.runtime.database.transaction { tx in
          try await events.publish(AccountNamed(userID: "a", username: "1"), in: tx)
          try await events.publish(AccountDeleted(userID: "a"), in: tx)
          try await events.publish(AccountNamed(userID: "b", username: "2"), in: tx)
          try await events.publish(AccountNamed(userID: "a", username: "3"), in: tx)
          try await events.publish(AccountDeleted(userID: "b"), in: tx)
          try await events.publish(AccountNamed(userID: "a", username: "4"), in: tx)
        }
        try await pair.consuming(from: log, [naming, leaving]) {
          let handlers = try await pair.handlers(6)
          #expect(handlers.filter { $0.hasPrefix("a") } == ["a=1", "a=left", "a=3", "a=4"])
          #expect(handlers.filter { $0.hasPrefix("b") } == ["b=2", "b=left"])
          #expect(batches.withLock { $0 } == [2, 2])
        }
      }
    }
  }

  @Test("two replicas that receive the same batches apply each event once between them, in the order of its key")
  func replicas() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await pair.listening(to: log.port) {
          try await pair.listening(to: log.port) {
            for round in 0..<10 {
              try await log.tellTogether((1...60).map { ("\($0 % 6)", round * 60 + $0) })
            }
            let handlers = try await pair.handlers(600)
            for key in 0..<6 {
              let expected = (1...600).filter { $0 % 6 == key }.map { "\(key)=\($0)" }
              #expect(handlers.filter { $0.hasPrefix("\(key)=") } == expected)
            }
          }
        }
        #expect(try await pair.handlers().count == 600)
      }
    }
  }
}

/// Counts the attempts at each value, of which one fails.
private final class Attempts: Sendable {
  private struct Poisoned: Error {}
  private let failing: String
  private let counts = Mutex<[String: Int]>([:])

  init(failing: String) { self.failing = failing }

  func count(of value: String) -> Int { counts.withLock { $0[value] ?? 0 } }

  func pass(_ value: String) throws {
    counts.withLock { $0[value, default: 0] += 1 }
    if value == failing { throw Poisoned() }
  }
}

/// Records effects in their order.
private struct NoteEffects: Statement {
  typealias Row = Void
  static let sql = """
    insert into effects (key, value, lag_ms)
    select key, value, 0 from unnest($1::text[], $2::text[]) with ordinality as effect (key, value, place) order by place
    """
  let effects: [(key: String, value: String)]

  init(_ effects: [(key: String, value: String)]) { self.effects = effects }

  func bind(_ p: inout Parameters) {
    p.append(effects.map(\.key))
    p.append(effects.map(\.value))
  }
}

private struct EndOwnSession: Statement {
  typealias Row = Bool
  static let sql = "select pg_terminate_backend(pg_backend_pid())"
}

extension Log {
  /// Publishes all in one transaction, so that they come in one response.
  fileprivate func tellTogether(_ events: [(key: String, value: Int)]) async throws {
    try await runtime.database.transaction { tx in
      for event in events { try await publish(event.key, "\(event.value)", in: tx) }
    }
  }
}
