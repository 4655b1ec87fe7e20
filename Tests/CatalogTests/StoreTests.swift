import AccountDeletions
import CatalogStore
import TestSupport
import Testing

@Suite("the schema of the catalog")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: CatalogSchema.name, in: database,
        statements: CatalogSchema.statements + AccountDeletionsSchema.statements(for: CatalogSchema.removals))
      #expect(problems == [])
    }
  }
}
