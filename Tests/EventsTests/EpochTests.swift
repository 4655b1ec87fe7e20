import Postgres
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("a log whose database was restored", .timeLimit(.minutes(5)))
struct EpochTests {
  @Test("where transactions are counted lower, old events and new ones of a key are told in their order")
  func lower() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in try await log.tell("a", 1...3) }
      try await pair.restoreElsewhere(counted: 1 << 40)
      try await pair.telling { log in
        try await log.tell("a", [4])
        try await pair.listening(to: log.port) {
          let handlers = try await pair.handlers(4)
          #expect(handlers == (1...4).map { "a=\($0)" })
        }
      }
    }
  }

  @Test(
    "a consumer that was restored with it goes on where it was, wherever transactions are counted to",
    arguments: [0, 1 << 40])
  func consumer(counted: Int) async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("a", 1...3)
        try await pair.listening(to: log.port) { _ = try await pair.handlers(3) }
        try await log.tell("a", [4])
      }
      try await pair.restoreElsewhere(counted: counted)
      try await pair.telling { log in
        try await log.tell("a", [5])
        try await pair.listening(to: log.port) {
          let handlers = try await pair.handlers(5)
          #expect(handlers == (1...5).map { "a=\($0)" })
        }
      }
    }
  }

  @Test("who was told more than the restored log knows is told that events are gone, and who was not goes on")
  func ahead() async throws {
    try await Pair.with { pair in
      let (known, lost) = try await pair.positions(of: [2, 3])
      try await pair.restoreElsewhere(counted: 0, without: "3")
      try await pair.telling { log in
        // Without the epoch, the lost position would be among these.
        try await log.tell("b", 1...3)
        let status = try await refusal { try await log.follow(Log.subscription(.after(lost))) { _ in true } }
        #expect(status.code == .failedPrecondition && status.errorInfo?.reason == "EVENTS_GONE")
        let next = try await log.follow(Log.subscription(.after(known))) { $0.events.first?.key }
        #expect(next == "b")
      }
    }
  }

  @Test("two logs that were restored from one dump refuse each other's positions")
  func twins() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in try await log.tell("a", [1]) }
      try await pair.restoreElsewhere(counted: 0)
      try await pair.sql("create table twin as table catalog.event_log")
      let (_, position) = try await pair.positions(of: [1, 2])
      // The other one, as it was before its first start.
      try await pair.sql(
        """
        delete from catalog.events where transaction_id > (select max(ended_transaction_id) from catalog.event_epochs);
        delete from catalog.event_consumers;
        delete from catalog.event_epochs;
        delete from catalog.event_log;
        insert into catalog.event_log table twin
        """)
      try await pair.telling { log in
        try await log.tell("b", 1...3)
        let status = try await refusal { try await log.follow(Log.subscription(.after(position))) { _ in true } }
        #expect(status.code == .failedPrecondition && status.errorInfo?.reason == "EVENTS_GONE")
      }
    }
  }
}

extension Pair {
  /// Publishes each value, and returns the positions of the last two as a follower received them.
  fileprivate func positions(of values: [Int]) async throws -> (Position, Position) {
    let found = Gathered<Position>()
    try await telling { log in
      try await log.tell("a", values)
      let last = values.last.map { "\($0)" }
      _ = try await log.follow(Log.subscription(.beginning(.oldest))) { answer -> Bool? in
        for position in answer.events.compactMap(\.position) { found.add(position) }
        return try answer.events.contains { try SessionRevoked(serialized: $0.payload).userID == last } ? true : nil
      }
    }
    let positions = found.all.suffix(2)
    return (try #require(positions.first), try #require(positions.last))
  }

  /// Makes the database of both what a dump of it would be on another server.
  ///
  /// - Parameters:
  ///   - counted: transactions that the old server had counted more than the new one.
  ///   - value: of the event that was published after the dump.
  fileprivate func restoreElsewhere(counted: Int, without value: String? = nil) async throws {
    func moved(_ column: String) -> String { "\(column) = (\(column)::text::bigint + \(counted))::text::xid8" }
    try await sql(
      """
      delete from catalog.events where convert_from(payload, 'UTF8') like '%' || \(value.map { "'\($0)'" } ?? "null");
      delete from catalog.event_consumers where \(value == nil ? "false" : "true");
      update catalog.events set \(moved("transaction_id"));
      update catalog.event_consumers set \(moved("transaction_id"));
      update catalog.event_removals set \(moved("transaction_id"));
      update catalog.event_log set place = 'elsewhere', \(moved("told_transaction_id"));
      update catalog.event_log set told_transaction_id = '0' where \(value == nil ? "false" : "true");
      update lending.event_cursors set \(moved("transaction_id"))
      """)
  }
}
