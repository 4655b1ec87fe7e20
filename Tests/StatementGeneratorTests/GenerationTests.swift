import Foundation
import TestSupport
import Testing

@testable import StatementGenerator

@Suite("what is made of queries, by a real PostgreSQL")
struct GenerationTests {
  private static let migration = """
    create table users (id uuid primary key, name text not null);
    create table notes (
      id bigint primary key, owner_id uuid not null references users, text text not null, state text not null,
      read_at timestamptz
    );
    """

  /// The files that are made of one file of queries in a schema of two tables.
  private func made(
    _ queries: String, file: String = "V0001_notes.sql", migration: String = Self.migration,
    types: [String: [String]] = [:]
  ) async throws -> [String: String] {
    let manifest = Manifest(
      name: "NotesSchema", schema: "notes", access: "package", imports: ["Identifiers"], libraries: nil,
      migrations: ["notes"], types: types)
    let folder = Folder(
      path: "Store", manifest: manifest, items: [try QueryFile(path: "Store/Queries/notes.sql", text: queries)],
      migrations: [
        "notes": MigrationFile(path: "Store/Migrations/\(file)", file: file, text: migration)
      ])
    // An expected error leaves the database's scope as a value: one that is thrown there keeps the database and its server.
    return try await TestDatabase.with([]) { database in
      Result { try Generation(folder: folder, libraries: [], number: 0).files(url: database.url) }
    }.get()
  }

  @Test("types and nullability are the database's, and names of types the manifest's")
  func types() async throws {
    let files = try await made(
      """
      -- columns: NoteColumns
      notes.id, notes.state, notes.read_at;

      -- name: NotesOf :many slow
      -- The notes of a user.
      -- @after: The last one of the page before.
      select {{NoteColumns as note}}, users.name, count(*) over () as "total!", max(notes.id) over () as newest
      from notes left join users on users.id = notes.owner_id
      where notes.owner_id = :owner_id and (:after?::bigint is null or notes.id > :after?)
      limit :limit;

      -- name: CountNotes :one
      select count(*) as "count!" from notes;
      """, types: ["UserID": ["users.id", "*.owner_id"], "NoteState": ["notes.state"]])
    let swift = try #require(files["Notes.swift"])
    #expect(
      swift.hasSuffix(
        """
        package struct NoteColumns: Sendable, RowDecodable {
          package let id: Int64
          package let state: NoteState
          package let readAt: Instant?

          package init(id: Int64, state: NoteState, readAt: Instant?) {
            self.id = id
            self.state = state
            self.readAt = readAt
          }

          package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> NoteColumns {
            NoteColumns(id: try row.next(), state: try row.next(), readAt: try row.next())
          }
        }

        /// The notes of a user.
        package struct NotesOf: Statement {
          package struct Row: Sendable {
            package let note: NoteColumns
            package let name: String?
            package let total: Int64
            package let newest: Int64?
          }

          package static let pace = Pace.slow
          package static let sql = \"""
            select notes.id, notes.state, notes.read_at, users.name, count(*) over () as total, max(notes.id) over () as newest
            from notes left join users on users.id = notes.owner_id
            where notes.owner_id = $1 and ($2::bigint is null or notes.id > $2)
            limit $3
            \"""
          package let ownerID: UserID
          /// The last one of the page before.
          package let after: Int64?
          package let limit: Int64

          package init(ownerID: UserID, after: Int64?, limit: Int64) {
            self.ownerID = ownerID
            self.after = after
            self.limit = limit
          }

          package func bind(_ p: inout Parameters) {
            p.append(ownerID)
            p.append(after)
            p.append(limit)
          }

          package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
            Row(note: try NoteColumns.decode(row), name: try row.next(), total: try row.next(), newest: try row.next())
          }
        }

        package struct CountNotes: SingleRowStatement {
          package typealias Row = Int64
          package static let sql = \"""
            select count(*) as count from notes
            \"""

          package init() {}

          package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
            try row.next()
          }
        }

        """), "\(swift)")
    let lists = try #require(files["Lists.swift"])
    #expect(lists.contains("NotesOf.self,\n    CountNotes.self,"))
    #expect(lists.contains("Migration(version: 1, name: \"notes\", bytes: PackageResources.V0001_notes_sql),"))
  }

  @Test(
    "what does not fit the schema is told with its file and line, all of it at once",
    arguments: [
      (
        "-- name: A :many\nselect id,\n  txt\nfrom notes;\n\n-- name: B :many\nselect id from note;",
        [
          "Store/Queries/notes.sql:3: A: column \"txt\" does not exist "
            + "(Perhaps you meant to reference the column \"notes.text\".)",
          "Store/Queries/notes.sql:7: B: relation \"note\" does not exist",
        ]
      ),
      (
        "-- fragment: mine(user)\nowner_id =\n  {{user}};\n\n-- name: A :many\nselect id from notes\nwhere {{mine(:me)}}\n  and x;",
        ["Store/Queries/notes.sql:8: A: column \"x\" does not exist"]
      ),
      ("-- name: A :exec\nselect id from notes;", ["Store/Queries/notes.sql:1: A is :exec and returns columns"]),
      ("-- name: A :one\ndelete from notes;", ["Store/Queries/notes.sql:1: A is :one and returns no columns"]),
      (
        "-- name: A :many\nselect id + 1 from notes;",
        ["Store/Queries/notes.sql:1: a column has no name: write `as name`"]
      ),
      (
        "-- name: A :many\n-- @x Int32\nselect id from notes;",
        ["Store/Queries/notes.sql:1: A has no parameter and no column `x`"]
      ),
      (
        "-- name: A :many\nselect {{none}} from notes;",
        ["Store/Queries/notes.sql:1: there is no fragment or list of columns `none`"]
      ),
      (
        "-- name: A :one\nselect 1.5 as half;",
        ["Store/Queries/notes.sql:1: half is numeric: cast it to a type that Swift has"]
      ),
      (
        "-- columns: C\nid, text;\n\n-- name: A :many\nselect {{C as one}}, {{C as two}} from notes;",
        ["Store/Queries/notes.sql:4: A uses the columns C twice"]
      ),
      (
        "-- columns: C\nid, text;\n\n-- name: A :many\nselect id from notes;",
        ["Store/Queries/notes.sql:1: no query returns the columns C"]
      ),
    ])
  func mistakes(queries: String, told: [String]) async throws {
    do {
      _ = try await made(queries)
      Issue.record("nothing was refused")
    } catch let mistakes as Mistakes {
      #expect(mistakes.all.map { "\($0)" } == told)
    }
  }

  @Test("a migration that PostgreSQL refuses is told with its file and line")
  func migration() async throws {
    let error = await #expect(throws: GeneratorError.self) {
      try await made("-- name: A :one\nselect 1 as one;", migration: "create table a (\n  id bigin\n);")
    }
    #expect(error?.description == "Store/Migrations/V0001_notes.sql:2: type \"bigin\" does not exist")
  }

  @Test("the number of a migration's file is its place among all of the schema's, and so its number in databases")
  func number() async throws {
    let error = await #expect(throws: GeneratorError.self) {
      try await made("-- name: A :one\nselect 1 as one;", file: "V0002_notes.sql")
    }
    #expect(
      error?.description == "Store/Migrations/V0002_notes.sql: it is migration 1 of queries.json: number it so")
  }
}
