import CatalogStore
import Postgres
import TestSupport
import Testing

@Suite("the schema of the catalog")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema")
  func prepares() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let problems = try await StatementCheck.problems(
        of: CatalogSchema.statements, url: database.url(of: "catalog"))
      #expect(problems.isEmpty, "\(problems)")
    }
  }

  @Test("every table and column has a comment")
  func comments() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let bare = try await Administration.session(database.url) { session in
        try session.run(
          """
          select c.relname, a.attname from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
          where c.relnamespace = 'catalog'::regnamespace and c.relkind = 'r' and col_description(c.oid, a.attnum) is null
          union all
          select c.relname, null from pg_class c
          where c.relnamespace = 'catalog'::regnamespace and c.relkind = 'r' and obj_description(c.oid) is null
          """)
      }
      #expect(bare.isEmpty, "\(bare)")
    }
  }
}
