import IdentityStore
import TestSupport
import Testing

@Suite("the schema of identity", .timeLimit(.minutes(5)))
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: IdentitySchema.name, in: database, statements: IdentitySchema.statements)
      #expect(problems == [])
    }
  }
}
