import Postgres
import TestSupport
import Testing

@Suite("Migrations and transactions")
struct MigratorTests {
  @Test("a migrated schema takes writes and transactions")
  func smoke() async throws {
    let admin = try TestCluster.shared().url
    let schema = "smoke_\(UInt64.random(in: 0...UInt64.max))"
    let migrations = [
      Migration(
        version: 1, name: "notes",
        sql: "create table notes (id bigint constraint notes_pkey primary key, text text not null)")
    ]
    let outcome = try await Migrator.migrate(url: admin, schema: schema, migrations: migrations)
    #expect(outcome.applied == [1])
    #expect(try await Migrator.migrate(url: admin, schema: schema, migrations: migrations).applied == [])
    try await Database.with(admin, { $0.schema = schema }) { database in
      try await database.write(AddNote(id: 1, text: "one"))
      try await database.groupedWrite(AddNote(id: 2, text: "two"))
      try await database.transaction { tx in
        try await tx.execute(AddNote(id: 3, text: "three"))
        #expect(try await tx.rows(Notes()).count == 3)
      }
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 4, text: "four"))
          try await tx.execute(AddNote(id: 1, text: "again"))
        }
      }
      #expect(error?.constraint == "notes_pkey")
      #expect(try await database.rows(Notes()) == ["one", "two", "three"])
    }
  }
}

struct AddNote: Statement {
  typealias Row = Void
  static let sql = "insert into notes (id, text) values ($1, $2)"
  let id: Int64
  let text: String
  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(text)
  }
}

struct Notes: Statement {
  static let sql = "select text from notes order by id"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> String { try row.next() }
}
