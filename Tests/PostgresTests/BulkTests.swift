import LoopExecutor
import Postgres
import TestSupport
import Testing

@Suite("Bulk loads", .timeLimit(.minutes(5)))
struct BulkTests {
  private static let loops = LoopGroup(threads: 1)

  private func with(
    _ body: @escaping @Sendable (BulkConnection, TestDatabase) async throws -> Void
  ) async throws {
    try await TestDatabase.with([TestSchema("notes")]) { database in
      let configuration = DatabaseConfiguration(
        url: database.url(of: "notes"), applicationName: "bulk", schema: "notes")
      return try await BulkConnection.with(configuration, on: Self.loops.executors[0]) { connection in
        try await body(connection, database)
      }
    }
  }

  @Test("rows come out as they went in, whatever characters they have")
  func characters() async throws {
    try await with { connection, _ in
      let texts = ["plain", "", "tab\tnew\nline\rreturn", #"back\slash \N \."#, "'\"{,}", "ü 💥"]
      var rows = CopyRows()
      for (number, text) in texts.enumerated() {
        rows.append(Int64(number))
        rows.append(text)
        rows.append(texts)
        rows.endRow()
      }
      rows.append(Int64?.none)
      rows.append(String?.none)
      rows.append([String]())
      rows.endRow()
      try await connection.run("create temporary table loaded (number bigint, text text, list text[])")
      try await connection.copy("copy loaded from stdin", rows.bytes)

      let texted = try await connection.run("select text from loaded order by number")
      #expect(texted.map(\.first) == texts.map { .some(.some($0)) } + [.some(nil)])
      let listed = try await connection.run("select item from loaded, unnest(list) as item where number = 3")
      #expect(listed.map(\.first) == texts.map { .some(.some($0)) })
      #expect(try await connection.run("select list = '{}' from loaded where number is null") == [["t"]])
    }
  }

  @Test("more bytes than a socket takes at once all arrive")
  func large() async throws {
    try await with { connection, _ in
      var rows = CopyRows()
      let text = String(repeating: "x", count: 1_000)
      for _ in 0..<20_000 {
        rows.append(text)
        rows.endRow()
      }
      try await connection.run("create temporary table loaded (text text)")
      for _ in 0..<2 { try await connection.copy("copy loaded from stdin", rows.bytes) }
      #expect(try await connection.run("select count(*), sum(length(text)) from loaded") == [["40000", "40000000"]])
    }
  }

  @Test("a row that is refused is told by its code, and the connection goes on")
  func refused() async throws {
    try await with { connection, _ in
      try await connection.run("create temporary table loaded (number bigint)")
      var rows = CopyRows()
      rows.append("not a number")
      rows.endRow()
      let bytes = rows.bytes
      // The refusal comes before the end of the rows is sent, or after it.
      for _ in 0..<100 {
        let error = await #expect(throws: PostgresError.self) {
          try await connection.copy("copy loaded from stdin", bytes)
        }
        #expect(error?.sqlState == "22P02")
      }
      let absent = await #expect(throws: PostgresError.self) {
        try await connection.copy("copy nowhere from stdin", bytes)
      }
      #expect(absent?.sqlState == "42P01")
      #expect(try await connection.run("select count(*) from loaded") == [["0"]])
    }
  }

  @Test("a connection that is lost is unavailable from then on")
  func lost() async throws {
    try await with { connection, database in
      let process = try await connection.run("select pg_backend_pid()").first?.first.flatMap { $0 } ?? ""
      _ = try await Administration.session(database.url) { try $0.run("select pg_terminate_backend(\(process))") }
      for _ in 0..<2 {
        let error = await #expect(throws: PostgresError.self) { try await connection.run("select 1") }
        #expect(error?.isUnavailable == true)
      }
    }
  }

  @Test("a task that is cancelled waits no longer")
  func cancelled() async throws {
    try await with { connection, database in
      let process = try await connection.run("select pg_backend_pid()").first?.first.flatMap { $0 } ?? ""
      await #expect(throws: CancellationError.self) {
        try await withThrowingTaskGroup { group in
          // Longer than any test lasts: it ends by being cancelled.
          group.addTask { try await connection.run("select pg_sleep(600)") }
          // Only once it waits for the answer is there a wait to be cut short.
          _ = try await eventually("the server is asleep") {
            try await Administration.session(database.url) {
              try $0.run("select pid from pg_stat_activity where pid = \(process) and wait_event = 'PgSleep'").first
            }
          }
          group.cancelAll()
          try await group.waitForAll()
        }
      }
      await #expect(throws: CancellationError.self) { try await connection.run("select 1") }
    }
  }
}
