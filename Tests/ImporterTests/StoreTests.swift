import AccountDeletions
import ImporterStore
import Postgres
import TestSupport
import Testing

@Suite("the schema of the importer")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningImporter.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: ImporterSchema.name, in: database,
        statements: ImporterSchema.statements + AccountDeletionsSchema.statements(for: ImporterSchema.removals))
      #expect(problems == [])
    }
  }
}
