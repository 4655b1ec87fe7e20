import Events
import Glibc
import Identifiers
import Postgres
import Reflection
import TestSupport
import Testing

@testable import tandem

@Suite("parked events on the command line", .ownThreads, .timeLimit(.minutes(5)))
struct EventsCommandTests {
  /// Two services, of which one has parked two events of a key and another one.
  private struct Stage: Sendable {
    let database: TestDatabase

    static let failing = "0197a5a0-0000-7000-8000-000000000001"
    static let waiting = "0197a5a0-0000-7000-8000-000000000002"
    static let other = "0197a5a0-0000-7000-8000-000000000003"
    private static let schemas = ["lending", "matching"].map {
      TestSchema($0, [EventsSchema.events(version: 1), EventsSchema.eventsUpkeep(version: 2)])
    }

    static func with(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      try await TestDatabase.with(schemas) { database in
        let columns =
          "id, producer, consumer, topic, key, transaction_id, event_id, type, event, attempts, last_failure, due_at"
        try await database.sql(
          """
          insert into lending.parked_events (\(columns)) values
            ('\(waiting)', 'catalog', 'lending', 'catalog.books', 'k', '8', 1, 'tandem.events.v1.BookDeleted', 'secret', 0,
             null, '2026-01-15T12:00Z'),
            ('\(failing)', 'catalog', 'lending', 'catalog.books', 'k', '7', 1, 'tandem.events.v1.BookListed', 'secret', 9,
             E'no\ttelling', '2099-01-15T12:00Z');
          insert into matching.parked_events (\(columns)) values
            ('\(other)', 'identity', 'matching', 'identity.accounts', 'p', '7', 1, 'tandem.events.v1.AccountDeleted',
             'secret', 5, 'no', '2099-01-15T12:00Z')
          """)
        try await body(Stage(database: database))
      }
    }

    /// The output of the command and its exit status.
    func events(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
      let environment = [
        "TANDEM_LENDING_DATABASE_URL": database.url(of: "lending"),
        "TANDEM_MATCHING_DATABASE_URL": database.url(of: "matching"), "TANDEM_HOME": "/nonexistent",
      ]
      return try Command.tandem(["events"] + arguments, environment: environment).finish()
    }

    func states() throws -> [String] {
      let list = try JSONValue(parsing: try events("list", "-o", "json").output)
      return (list.array ?? []).compactMap { $0["state"]?.string }
    }
  }

  @Test("parked events are listed, what waits behind what fails, and nothing that they tell")
  func lists() async throws {
    try await Stage.with { stage in
      let table = try stage.events("list")
      let json = try JSONValue(parsing: try stage.events("list", "--service", "lending", "-o", "json").output)

      let lines = table.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
      #expect(table.status == 0 && lines.count == 4 && lines[0][0] == "SERVICE", "\(table.errors)")
      #expect(lines.dropFirst().map { "\($0[1])" } == [Stage.other, Stage.failing, Stage.waiting])
      #expect(table.output.contains("no telling") && !table.output.contains("secret"))
      #expect(json.array?.map { $0["state"]?.string } == ["failing", "waiting"])
      #expect(json.array?[0]["position"]?.string == "7/1" && json.array?[0]["attempts"]?.integer == 9)
      #expect(
        try stage.events("list", "--limit", "1", "--service", "lending").errors.contains("lending has more than 1"))
    }
  }

  @Test("an event is skipped, which lets the next one of its key go on, and retried, which takes that back")
  func skipsAndRetries() async throws {
    try await Stage.with { stage in
      #expect(try stage.events("skip", Stage.failing).status == 0)
      #expect(try stage.states() == ["failing", "skipped", "failing"])
      #expect(try stage.events("retry", Stage.failing, Stage.other).status == 0)
      #expect(try stage.states() == ["failing", "failing", "waiting"])
      let due = try await stage.database.value("select count(*) from lending.parked_events where due_at > now()")
      #expect(due == "0")
    }
  }

  @Test("an event that is not there is said, and what is no id is a usage error")
  func unknown() async throws {
    try await Stage.with { stage in
      let missing = try stage.events("skip", "0197a5a0-0000-7000-8000-00000000000f")
      #expect(missing.status == 1 && missing.errors.contains("no event 0197a5a0-0000-7000-8000-00000000000f is parked"))
      #expect(try stage.events("retry", "7/1").status == 2)
    }
  }
}
