import Environment
import ChaosTables
import Foundation
import Live
import Logging
import Postgres
import Synchronization
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("reading a log beside its writers", .timeLimit(.minutes(5)))
struct GapTests {
  private static let writers = 64
  private static let transactions = 3
  /// What a transaction takes at most, in milliseconds; `make chaos` lets some take seconds.
  private static let maxLength = ProcessInfo.processInfo.environment["CHAOS_TRANSACTION_MS"].flatMap { Int($0) } ?? 200

  /// A reader of the log that assumes that ids become visible in order.
  private struct EventsAfterID: Statement {
    static let sql = "select transaction_id, id from events where id > $1 order by id limit 1000"
    let id: Int64
    func bind(_ p: inout Parameters) { p.append(id) }
    static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition {
      try EventPosition(PositionColumns.decode(row))
    }
  }

  private struct AllEvents: Statement {
    static let sql = "select transaction_id, id from events order by transaction_id, id"
    static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition {
      try EventPosition(PositionColumns.decode(row))
    }
  }

  private struct Regret: Error {}

  @Test("64 writers, some slow and some that roll back: nothing is skipped, and a cursor by id alone does skip")
  func gaps() async throws {
    try await TestDatabase.with([producers]) { database in
      try await withDatabase(database.url(of: "catalog")) { database in
        let isOver = Count()
        let naive = NaiveReader()
        async let real = read(database, until: isOver)
        async let reading: Void = naive.read(database, until: isOver)
        // Usually the first round shows it.
        let end = ContinuousClock.now + .seconds(60)
        repeat {
          try await write(database)
        } while try await !naive.hasSkipped(in: database) && ContinuousClock.now < end
        isOver.add()
        try await reading

        #expect(try await real == database.rows(AllEvents()))
        #expect(try await naive.hasSkipped(in: database), "in a minute ids happened to appear in their order")
      }
    }
  }

  /// Goes by ids alone.
  private final class NaiveReader: Sendable {
    private let state = Mutex((seen: Set<Int64>(), last: Int64(0)))

    func read(_ database: Database, until isOver: Count) async throws {
      while isOver.value == 0 {
        let page = try await database.rows(EventsAfterID(id: state.withLock { $0.last }))
        state.withLock { state in
          state.seen.formUnion(page.map(\.id))
          state.last = page.last?.id ?? state.last
        }
        // A short pause between two reads leaves the processor to the writers.
        try await Task.sleep(for: .milliseconds(1))
      }
    }

    /// Whether there is an event that it has skipped.
    func hasSkipped(in database: Database) async throws -> Bool {
      let (seen, last) = state.withLock { $0 }
      return try await database.rows(AllEvents()).contains { $0.id < last && !seen.contains($0.id) }
    }
  }

  private func write(_ database: Database) async throws {
    let outbox = Outbox(of: "catalog", live: SilentBus(), clock: SystemClock())
    try await withThrowingTaskGroup { group in
      for writer in 0..<Self.writers {
        group.addTask(executorPreference: loops.executors[writer % 2]) {
          let chance = SeededRandomness(seed: UInt64(writer))
          for number in 0..<Self.transactions {
            do {
              try await database.transaction { tx in
                try await outbox.publish(SessionRevoked(sessionID: "w\(writer)", userID: "\(number)"), in: tx)
                // A slow transaction is what the test is about: others take later ids and commit first.
                try await Task.sleep(for: .milliseconds(Int(chance.uint64() % UInt64(Self.maxLength))))
                try await outbox.publish(SessionRevoked(sessionID: "w\(writer)", userID: "\(number)b"), in: tx)
                if chance.uint64() % 4 == 0 { throw Regret() }
              }
            } catch is Regret {}
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func read(_ database: Database, until isOver: Count) async throws -> [EventPosition] {
    var (seen, position): ([EventPosition], EventPosition) = ([], .beginning)
    while true {
      let wasOver = isOver.value > 0
      let rows = try await database.rows(
        EventsAfter(position: position, topics: ["identity.sessions"], includesUnsettled: false, limit: 7))
      let page = rows.compactMap(\.event?.position)
      seen += page
      position = page.last ?? position
      if wasOver, page.isEmpty, rows.first?.othersWait == false { return seen }
      // A short pause between two reads leaves the processor to the writers.
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("events of one key are in the order of its changes, whoever waited for whom")
  func keyOrder() async throws {
    try await TestDatabase.with([producers]) { database in
      let url = database.url(of: "catalog")
      try await withDatabase(url) { database in
        let outbox = Outbox(of: "catalog", live: SilentBus(), clock: SystemClock())
        let conflicts = Count()
        try await withThrowingTaskGroup { group in
          for writer in 0..<Self.writers {
            group.addTask(executorPreference: loops.executors[writer % 2]) {
              try await database.persistentTransaction(conflicted: { conflicts.add() }) { tx in
                try await tx.execute(Scribble())
                // The transaction has its number before it comes to the row, and the others' delays differ: so some come
                // to it in another order than that of their numbers, and the count below says that some did.
                try await Task.sleep(for: .milliseconds(writer % 7))
                let value = try await tx.first(CountUp("key")) ?? 0
                try await outbox.publish(SessionRevoked(sessionID: "key", userID: "\(value)"), in: tx)
              }
            }
          }
          try await group.waitForAll()
        }
        // Transactions of other tests on the same server hold the horizon back too.
        let rows = try await eventually("all of them are settled") {
          let rows = try await database.rows(
            EventsAfter(position: .beginning, topics: ["identity.sessions"], includesUnsettled: false, limit: 1_000))
          return rows.first?.othersWait == false ? rows : nil
        }
        let values = try rows.compactMap(\.event).map { try SessionRevoked(serialized: $0.payload).userID }
        #expect(values == (1...Self.writers).map { "\($0)" })
        #expect(conflicts.value > 0, "no transaction waited for a later one")
      }
    }
  }

  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    let plain = TestSchema("importer", [EventsSchema.events(version: 1), EventsSchema.eventsUpkeep(version: 2)])
    try await TestDatabase.with([plain]) { database in
      let problems = try await SchemaCheck.problems(of: "importer", in: database, statements: EventsSchema.statements)
      #expect(problems == [])
    }
  }

  private func withDatabase(_ url: String, _ body: (Database) async throws -> Void) async throws {
    var configuration = DatabaseConfiguration(url: url, applicationName: "tests")
    // Of 64 writers that wait for one row the last waits for all others, however long they take: only the suite's time
    // limit bounds it.
    configuration.timeout = .seconds(300)
    configuration.leaseTimeout = .seconds(300)
    configuration.transactionsPerLoop = Self.writers / 2
    let database = try Database(
      configuration, loops: loops.executors, logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(database)) } catch { outcome = .failure(error) }
    await database.close()
    try outcome.get()
  }
}

/// Counts from anywhere.
final class Count: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Has no effect.
private struct SilentBus: LiveBus {
  func publish(_ payload: [UInt8], to channel: LiveChannel) {}
  func subscribe(to channel: LiveChannel) -> LiveSubscription { preconditionFailure("nobody listens in these tests") }
}
