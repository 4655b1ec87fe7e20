import Testing

@testable import StatementGenerator

@Suite("how files of queries are read")
struct ParsingTests {
  @Test(
    "names become numbers in the order in which they first occur; casts, quotes and comments are left alone",
    arguments: [
      ("select :one, :two, :one", "select $1, $2, $1", ["one", "two"]),
      ("select :a::text, ':b', \":c\", $$:d$$ -- :e", "select $1::text, ':b', \":c\", $$:d$$ -- :e", ["a"]),
      (
        "select x[1:2], now()::date, 'it''s :x', :y /* :z */", "select x[1:2], now()::date, 'it''s :x', $1 /* :z */",
        ["y"]
      ),
      ("where (:after?::uuid is null or id > :after?)", "where ($1::uuid is null or id > $1)", ["after?"]),
    ])
  func parameters(named: String, numbered: String, names: [String]) throws {
    let query = try NumberedQuery(named, "here:1")
    #expect(query.text == numbered)
    #expect(query.parameters.map { $0.name + ($0.isOptional ? "?" : "") } == names)
  }

  @Test("a parameter is optional everywhere or nowhere")
  func mixed() {
    let error = #expect(throws: GeneratorError.self) { try NumberedQuery("select :a, :a?", "file.sql:3") }
    #expect(error?.description == "file.sql:3: write :a with `?` everywhere or nowhere")
  }

  @Test("commas in parentheses and quotes do not separate columns")
  func items() {
    #expect(SQLText.items("a, f(b, c), 'd, e', array[g, h] as i") == ["a", "f(b, c)", "'d, e'", "array[g, h] as i"])
  }

  @Test("headings, comments and remarks are told apart, and a semicolon ends a query")
  func sections() throws {
    let file = try QueryFile(
      path: "q.sql",
      text: """
        -- About the file.

        -- name: NotesOf :many slow public
        -- The notes of a user.
        --
        -- Newest first.
        -- @after NoteID: The last one of the page before,
        -- in the order of the list.
        -- @limit: At most 100.
        select * from notes; -- all of them

        -- name: DeleteNote :exec
        delete from notes where id = :id;
        """)
    let (first, second) = (try #require(file.queries.first), try #require(file.queries.last))
    #expect(first.name == "NotesOf" && first.cardinality == .many && first.isSlow && first.isPublic)
    #expect(first.comments.lines == ["The notes of a user.", "", "Newest first."])
    #expect(first.comments.remarks["after"]?.type == "NoteID")
    #expect(
      first.comments.remarks["after"]?.comment == "The last one of the page before,\nin the order of the list.")
    #expect(first.comments.remarks["limit"]?.type == nil)
    #expect(first.place == "q.sql:3")
    #expect(second.cardinality == .exec && !second.isSlow && !second.isPublic)
    #expect(SQLText.withoutComments(second.body.text) == "delete from notes where id = :id")
  }

  @Test(
    "a heading that means nothing is refused with its line",
    arguments: [
      ("-- name: X\nselect 1;", "write `-- name: LoanByID :one`, `:many` or `:exec`"),
      ("-- name: X :several\nselect 1;", "write `-- name: LoanByID :one`, `:many` or `:exec`"),
      ("-- name: X :one quick\nselect 1;", "a query is `slow`, `public` or both, not `quick`"),
      ("-- name: X :one\n\n-- name: Y :one\nselect 1;", "there is no SQL"),
      (
        "-- name: X :one\n-- @after NoteID\n-- The notes.\nselect 1;",
        "`The notes.` follows @after, which has no comment; write it above"
      ),
      ("-- columns: X for Y\na, b;", "write `-- columns: GroupColumns`, or `… as StoredGroup`"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: GeneratorError.self) { try QueryFile(path: "q.sql", text: text) }
    #expect(error?.description == "q.sql:1: \(reason)")
  }

  @Test(
    "what an outer join may leave empty is known by its table",
    arguments: [
      ("select * from notes join users on true", ["notes": false, "users": false]),
      ("select * from notes left join users as u on true", ["notes": false, "users": true]),
      ("select * from notes LEFT OUTER JOIN users on true", ["notes": false, "users": true]),
      (
        "select * from notes left join lateral (select * from users limit 1) as u on true",
        ["notes": false, "users": true]
      ),
      ("with x as (select * from users) select * from notes left join x on true", ["notes": true, "users": true]),
      ("with users as (select 1) select * from notes left join users on true", ["notes": true, "users": true]),
      (
        "with x as materialized (select 1) select * from notes left join (select * from x) as y on true",
        ["notes": true]
      ),
      ("select * from notes full join users on true", ["notes": true, "users": true]),
      ("select left('abc', 1), 'left join users' from notes", ["notes": false, "users": false]),
    ])
  func outerJoins(sql: String, concerned: [String: Bool]) {
    let joins = OuterJoins(sql, tables: ["notes", "users"])
    for (table, expected) in concerned { #expect(joins.concern(table) == expected, "\(table)") }
  }

  @Test("SQL's names become Swift's")
  func names() {
    #expect(SwiftNames.property("loan_id") == "loanID")
    #expect(SwiftNames.property("book_ids") == "bookIDs")
    #expect(SwiftNames.property("isbn") == "isbn")
    #expect(SwiftNames.field(ofType: "StoredBook") == "book")
    #expect(SwiftNames.field(ofType: "GroupColumns") == "group")
  }
}
