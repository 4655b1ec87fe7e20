import Glibc
import Identifiers
import Jobs
import Postgres
import Reflection
import TestSupport
import Testing

@testable import tandem

@Suite("jobs on the command line", .ownThreads, .timeLimit(.minutes(5)))
struct JobsCommandTests {
  /// Two services with jobs in one database, and the output of `tandem jobs`.
  private struct Stage: Sendable {
    let database: TestDatabase

    static let dead = "0197a5a0-0000-7000-8000-000000000001"
    static let waiting = "0197a5a0-0000-7000-8000-000000000002"
    static let other = "0197a5a0-0000-7000-8000-000000000003"
    private static let schemas = ["lending", "matching"].map { TestSchema($0, [JobsSchema.jobs(version: 1)]) }

    static func with(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      try await TestDatabase.with(schemas) { database in
        let stage = Stage(database: database)
        try await stage.sql(
          """
          insert into lending.jobs
            (id, kind, key, payload, due_at, ready_at, attempts, last_failure, dead_at, created_at)
          values
            ('\(dead)', 'due_reminder', 'loans/1', 'secret', '2026-01-15T12:00Z', '2026-01-15T12:30Z', 20,
             'no\ttelling', '2026-01-18T12:00Z', '2026-01-01T12:00Z'),
            ('\(waiting)', 'due_reminder', 'loans/2', 'secret', '2099-01-15T12:00Z', '2099-01-15T12:00Z', 0, null, null,
             '2026-01-01T12:00Z');
          insert into matching.jobs (id, kind, payload, due_at, ready_at, attempts, dead_at, created_at)
          values ('\(other)', 'lapse', '', '2026-01-15T12:00Z', '2026-01-15T12:00Z', 3, '2026-01-17T12:00Z', now())
          """)
        try await body(stage)
      }
    }

    @discardableResult
    func sql(_ text: String) async throws -> [[String?]] {
      try await Administration.session(database.url) { session in try session.run(text) }
    }

    /// The output of the command and its exit status.
    func jobs(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
      let environment = [
        "TANDEM_LENDING_DATABASE_URL": database.url(of: "lending"),
        "TANDEM_MATCHING_DATABASE_URL": database.url(of: "matching"), "TANDEM_HOME": "/nonexistent",
      ]
      return try Command.tandem(["jobs"] + arguments, environment: environment).finish()
    }
  }

  @Test("what was given up is listed, of all services or one, in a table or as JSON")
  func lists() async throws {
    try await Stage.with { stage in
      let table = try stage.jobs("list")
      let json = try JSONValue(parsing: try stage.jobs("list", "--service", "lending", "-o", "json").output)
      let any = try stage.jobs("list", "--state", "any", "--kind", "due_reminder", "--limit", "1")
      let none = try stage.jobs("list", "--state", "running")

      let lines = table.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
      #expect(table.status == 0 && lines.count == 3 && lines[0][0] == "SERVICE", "\(table.errors)")
      #expect(
        lines.dropFirst().map { "\($0[0]) \($0[1])" }.sorted() == ["lending \(Stage.dead)", "matching \(Stage.other)"])
      #expect(table.output.contains("no telling") && !table.output.contains("secret"))
      #expect(json.array?.count == 1 && json.array?[0]["id"]?.string == Stage.dead)
      #expect(json.array?[0]["dueTime"]?.string?.hasPrefix("2026-01-15T12:00:00") == true)
      #expect(any.output.contains(Stage.dead) && !any.output.contains(Stage.waiting))
      #expect(any.errors.contains("lending has more than 1"))
      #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("there are none"))
    }
  }

  @Test("a job is shown with all but what it holds")
  func shows() async throws {
    try await Stage.with { stage in
      let marks = "chr(x'202e'::int) || chr(x'2066'::int) || chr(x'2028'::int)"
      try await stage.sql(
        "update lending.jobs set last_failure = 'no' || \(marks) || 'telling' where dead_at is not null")
      let text = try stage.jobs("show", Stage.dead)
      let json = try JSONValue(parsing: try stage.jobs("show", Stage.waiting, "-o", "json").output)
      let missing = try stage.jobs("show", "0197a5a0-0000-7000-8000-00000000000f")

      #expect(text.status == 0 && text.output.contains("last failure:  no   telling\n"), "\(text.output)")
      #expect(text.output.contains("holds:         6 bytes\n") && !text.output.contains("secret"))
      #expect(json["state"]?.string == "waiting" && json["lastFailure"] == .null)
      #expect(missing.status == 1 && missing.errors.contains("there is no job"))
    }
  }

  @Test("a job that was given up is tried again as a new one, by its id or with all others")
  func retries() async throws {
    try await Stage.with { stage in
      let retried = try stage.jobs("retry", Stage.dead, "-o", "json")
      let again = try stage.jobs("retry", Stage.dead)
      let all = try stage.jobs("retry", "--all")
      let left = try stage.jobs("list", "-o", "json")

      #expect(retried.status == 0, "\(retried.errors)")
      #expect(try JSONValue(parsing: retried.output).array?[0]["state"]?.string == "waiting")
      #expect(again.status == 1 && again.errors.contains("is not given up"))
      #expect(all.status == 0 && all.output.contains(Stage.other) && left.output == "[]\n")
      let rows = try await stage.sql(
        "select attempts, dead_at is null, ready_at > due_at from lending.jobs where id = '\(Stage.dead)'")
      #expect(rows == [["0", "t", "t"]])
    }
  }

  @Test("a job whose place another has taken is not tried again")
  func succeeded() async throws {
    try await Stage.with { stage in
      try await stage.sql("update lending.jobs set key = 'loans/1' where id = '\(Stage.waiting)'")

      let refused = try stage.jobs("retry", Stage.dead, Stage.other)

      #expect(refused.status == 1 && refused.errors.contains("another job of its kind and key lives"))
      #expect(refused.output.contains(Stage.other))
      #expect(try await stage.sql("select count(*) from lending.jobs where dead_at is not null") == [["1"]])
      let all = try stage.jobs("retry", "--all")
      #expect(all.status == 0 && all.errors.contains("another job of its kind and key lives"), "\(all.errors)")
    }
  }

  @Test(
    "without a database, or with wrong usage, a line says what to do",
    arguments: [
      ["list"], ["show", "17"], ["retry"], ["retry", "--all", Stage.dead], ["retry", Stage.dead, "--kind", "x"],
      ["list", "--limit", "0"],
    ])
  func refuses(arguments: [String]) throws {
    let result = try Command.tandem(["jobs"] + arguments, environment: ["TANDEM_HOME": "/nonexistent"]).finish()
    #expect(result.status == 2 && result.output.isEmpty && result.errors.hasPrefix("tandem: "), "\(result.errors)")
  }

  @Test("a database without jobs says so")
  func unmigrated() async throws {
    try await TestDatabase.with([TestSchema("lending", [])]) { database in
      let environment = ["TANDEM_LENDING_DATABASE_URL": database.url(of: "lending"), "TANDEM_HOME": "/nonexistent"]
      let result = try Command.tandem(["jobs", "list"], environment: environment).finish()
      #expect(result.status == 1 && result.errors.contains("tandem migrate"), "\(result.errors)")
    }
  }
}
