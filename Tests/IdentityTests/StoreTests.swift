import IdentityStore
import Postgres
import TestSupport
import Testing

@Suite("the schema of identity", .timeLimit(.minutes(5)))
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema")
  func prepares() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await Administration.session(database.url(of: "identity")) { session in
        try session.run("set search_path to identity")
        for (index, statement) in IdentitySchema.statements.enumerated() {
          do { try session.run("prepare statement_\(index) as \(statement.sql)") } catch {
            throw Unpreparable(statement: "\(statement)", reason: "\(error)")
          }
        }
      }
    }
  }

  @Test("every table and column has a comment")
  func comments() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let bare = try await Administration.session(database.url) { session in
        try session.run(
          """
          select c.relname, a.attname from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
          where c.relnamespace = 'identity'::regnamespace and c.relkind = 'r' and col_description(c.oid, a.attnum) is null
          union all
          select c.relname, null from pg_class c
          where c.relnamespace = 'identity'::regnamespace and c.relkind = 'r' and obj_description(c.oid) is null
          """)
      }
      #expect(bare.isEmpty, "\(bare)")
    }
  }
}

private struct Unpreparable: Error {
  let statement: String
  let reason: String
}
