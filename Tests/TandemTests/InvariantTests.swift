import Invariants
import LendingStore
import Postgres
import TestServices
import TestSupport
import Testing

@Suite("what holds in the databases")
struct InvariantTests {
  private static let schemas = [TestSchema("lending", LendingSchema.migrations)]

  @Test("every service has invariants, each of them with its rule and a query")
  func parsed() {
    for service in Invariant.services {
      let invariants = Invariant.all(of: service)
      #expect(invariants.count >= 5, "\(service)")
      #expect(invariants.allSatisfy { $0.title.hasPrefix("[") && $0.query.hasPrefix("select ") }, "\(service)")
    }
    #expect(Invariant.all(of: "nothing").isEmpty)
  }

  @Test("[LE-1] an invariant that does not hold names the rows, and the others hold")
  func violation() async throws {
    try await TestDatabase.with(Self.schemas) { database in
      let book = "0197a5a0-0000-7000-8000-000000000001"
      try await database.sql(
        """
        insert into lending.books (id, owner_id, isbn, title, description, status, waiting, steps) values
          ('\(book)', '0197a5a0-0000-7000-8000-000000000002', 9780441172719, 'Dune', 'Sand.', 'REQUESTED', 1, 0)
        """)

      let findings = try await InvariantCheck.run("lending", at: database.url(of: "lending"))

      let broken = findings.filter { !$0.violations.isEmpty }
      #expect(findings.count == Invariant.all(of: "lending").count)
      #expect(broken.map(\.violations) == [["book \(book)"]])
      #expect(broken.first?.invariant.title.hasPrefix("[LE-1] A book counts") == true)
    }
  }

  @Test("a query that takes longer than it may ends the check")
  func timeout() async throws {
    try await TestDatabase.with(Self.schemas) { database in
      try await database.opened(as: "lending") { own in
        try await own.transaction { tx in
          try await tx.execute(LockBooks())
          let failure = await #expect(throws: PostgresError.self) {
            try await InvariantCheck.run("lending", at: database.url(of: "lending"), timeout: .milliseconds(100))
          }
          #expect(failure?.sqlState == .queryCanceled)
        }
      }
    }
  }
}

/// Locks the table of books, for which queries wait until the transaction ends.
private struct LockBooks: Statement {
  typealias Row = Void
  static let sql = "lock table books in access exclusive mode"
}
