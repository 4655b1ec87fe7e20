import AccountDeletions
import LendingStore
import Postgres
import TestServices
import TestSupport
import Testing

@Suite("the schema of lending")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningLending.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: LendingSchema.name, in: database,
        statements: LendingSchema.statements + AccountDeletionsSchema.statements(for: LendingSchema.removals))
      #expect(problems == [])
    }
  }

  @Test(
    "[LE-7] the database refuses what no decision allows",
    arguments: [
      ("loans_one_promise_idx", "update loans set state = 'ACCEPTED'"),
      ("books_status_fits", "update books set status = 'AVAILABLE'"),
      (
        "books_loan_fkey",
        "update books set status = 'ACCEPTED', waiting = 0, loan_id = (select min(id::text)::uuid from loans)"
      ),
      ("loans_handed_over", "update loans set state = 'BORROWED' where id = (select min(id::text)::uuid from loans)"),
      ("loans_not_own", "update loans set borrower_id = owner_id"),
      ("books_retired_available", "update books set retired_at = now()"),
    ])
  func constraints(name: String, change: String) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      for borrower in [TestUser.grace, .alan] { _ = try await lending.request(book, as: borrower) }
      let error = await #expect(throws: PostgresError.self) { try await lending.sql(change) }
      #expect(error?.constraint == name || error?.message.contains(name) == true, "\(String(describing: error))")
    }
  }
}
