import Glibc
import LoopExecutor
import Postgres
import TestSupport
import Testing

@Suite("A URL in a file", .timeLimit(.minutes(5)))
struct RotationTests {
  private func put(_ text: String, into path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fputs(text, file) >= 0)
  }

  @Test("is read again for each connection, and the last good one is kept while it says nothing of use")
  func rotated() async throws {
    try await TestDatabase.with([notes]) { test in
      let path = "/tmp/tandem-url-\(getpid())-\(UInt64.random(in: 0 ... .max))"
      defer { unlink(path) }
      try put(test.url(of: "notes") + "\n", into: path)
      try await Database.with("postgresql://127.0.0.1:1/nothing", { $0.urlFile = path }) { (database) async throws in
        #expect(try await database.first(RoleName()) == "tandem_notes")
        // Each connection for a transaction is lost and made again, and the URL of the day is what it is made with.
        for (text, role) in [(test.url, "postgres"), ("nonsense", "postgres"), (test.url(of: "notes"), "tandem_notes")]
        {
          try put(text, into: path)
          let backend = try #require(try await database.first(BackendID()))
          try await test.sql("select pg_terminate_backend(\(backend), 5000)")
          await until {
            await failure { _ = try await database.first(BackendID()) } == nil
          }
          await until { (try? await database.first(BackendID())) != backend }
          #expect(try await database.first(RoleName()) == role)
        }
      }
    }
  }
}

struct RoleName: SingleRowStatement {
  typealias Row = String
  static let sql = "select session_user::text"
}
