import AccountDeletions
import TestSupport
import Testing
import TrackingStore

@Suite("the schema of tracking")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: TrackingSchema.name, in: database,
        statements: TrackingSchema.statements + AccountDeletionsSchema.statements(for: TrackingSchema.removals))
      #expect(problems == [])
    }
  }
}
