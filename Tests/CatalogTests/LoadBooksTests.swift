import ArgumentParser
import CatalogBackground
import CatalogStore
import Foundation
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import Synchronization
import TandemCatalog
import Testing
import TestServices
import TestSupport
import TTRPC

@testable import CatalogLoading
@testable import catalog

@Suite("loading books")
struct LoadBooksTests {
  private static let loops = LoopGroup(threads: 1)
  private static let header = "book_id,isbn10,isbn13,authors,title,original_title,year,language\n"

  /// Loads a text; returns the outcome and the bad records in the order of their lines.
  private func load(
    _ text: some Sequence<UInt8>, _ format: BookFormat, _ database: TestDatabase, chunk: Int = 100
  ) async throws -> (outcome: LoadOutcome, bad: [BadRecord]) {
    let bad = Mutex<[BadRecord]>([])
    let loader = BookLoader(format, report: { record in bad.withLock { $0.append(record) } })
    let configuration = DatabaseConfiguration(
      url: database.url(of: "catalog"), applicationName: "load", schema: "catalog")
    var rest = Array(text)[...]
    let outcome = try await BulkConnection.with(configuration, on: Self.loops.executors[0]) { connection in
      try await loader.load(over: connection) {
        defer { rest = rest.dropFirst(chunk) }
        return rest.isEmpty ? nil : Array(rest.prefix(chunk))
      }
    }
    return (outcome, bad.withLock { $0.sorted { $0.line < $1.line } })
  }

  private func editions(_ database: TestDatabase, _ columns: String = "*") async throws -> [[String?]] {
    try await Administration.session(database.url) {
      try $0.run("select \(columns) from catalog.editions order by source_id, isbn")
    }
  }

  @Test(
    "[CA-5] goodbooks: good records are there, bad ones are named with line and reason, and a second load changes nothing"
  )
  func goodbooks() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let file =
        "\u{FEFF}" + Self.header + """
          1,0441172717,9780441172719,Frank Herbert,"Dune (Dune, #1)",Dune,1965.0,eng
          2,439023483,9.78043902348e+12,"Suzanne Collins, TestUser Else",The Hunger Games,,2008,
          3,,,Nobody,Without a number,,2000,eng
          4,0441172718,,Nobody,Wrong number,,2000,eng
          5,0547-92822-x,,J.R.R. Tolkien,"The ""Hobbit""
          and more",,1937,eng
          6,0618640150,9780618640157,Too,few
          1,9780451419439,,Victor Hugo,Same id,,1862,eng
          7,0140268863,,Homer,The Odyssey,,-720.0,eng
          8,0140268863,,Homer,\u{7},,-720.0,eng

          """
      let (outcome, bad) = try await load(file.utf8, .goodbooks, database)
      let again = try await load(file.utf8, .goodbooks, database, chunk: 7).outcome

      #expect(
        bad.map { "\($0.line) \($0.reason)" } == [
          "4 it has no valid ISBN", "5 it has no valid ISBN", "6 it has no usable title",
          "8 it has 5 fields instead of 8",
          "9 the id 1 is on line 2 already", "11 it has no usable title",
        ])
      #expect(
        outcome.added == 3 && outcome.changed == 0 && outcome.bad == 6 && outcome.records == 9,
        "the header is no record")
      #expect(again.added == 0 && again.changed == 0 && again.unchanged == 3 && again.bad == 6)
      let rows = try await editions(database, "source_id, isbn, titles, authors, year, language")
      #expect(
        rows == [
          ["1", "9780441172719", "{\"Dune (Dune, #1)\",Dune}", "{\"Frank Herbert\"}", "1965", "eng"],
          ["2", "9780439023481", "{\"The Hunger Games\"}", "{\"Suzanne Collins\",\"TestUser Else\"}", "2008", ""],
          ["7", "9780140268867", "{\"The Odyssey\"}", "{Homer}", "-720", "eng"],
        ])
    }
  }

  @Test("[CA-5] a record that says something else than before is changed, and nothing else is")
  func changes() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let (one, two) = ("1,0441172717,,Frank Herbert,Dune,,1965,eng\n", "2,0439023483,,S. Collins,Games,,2008,eng\n")
      _ = try await load((Self.header + one + two).utf8, .goodbooks, database)
      let changed = "2,0439023483,,Suzanne Collins,The Hunger Games,,2008,eng\n"
      let (outcome, _) = try await load((Self.header + one + changed).utf8, .goodbooks, database)
      #expect(outcome.added == 0 && outcome.changed == 1 && outcome.unchanged == 1)
      #expect(try await editions(database, "titles[1]") == [["Dune"], ["The Hunger Games"]])
    }
  }

  @Test("[CA-5] a record whose ISBN is corrected leaves none behind under the old one")
  func corrected() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let other = "2,0439023483,,Suzanne Collins,Games,,2008,eng\n"
      _ = try await load(
        (Self.header + "1,0441172717,,Frank Herbert,Dune,,1965,eng\n" + other).utf8, .goodbooks, database)
      let file = Self.header + "1,0441013597,,Frank Herbert,Dune,,1965,eng\n"
      let (outcome, _) = try await load(file.utf8, .goodbooks, database)
      #expect(outcome.added == 1 && outcome.removed == 1 && outcome.changed == 0)
      #expect(try await editions(database, "source_id, isbn") == [["1", "9780441013593"], ["2", "9780439023481"]])
    }
  }

  @Test("[CA-5] Open Library: names and keys that no database takes cost nothing but themselves")
  func openLibraryNul() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let edition =
        #"{"title": "Du\u0000ne", "isbn_10": ["0441172717"], "authors": [{"key": "/authors/OL1\u0000A"}, {"key": "/authors/OL2A"}]}"#
      let good =
        #"{"title": "Dune", "isbn_10": ["0441172717"], "authors": [{"key": "/authors/OL1\u0000A"}, {"key": "/authors/OL2A"}]}"#
      let file = [
        "/type/author\t/authors/OL1\u{0}A\t1\t2010\t{\"name\": \"Nobody\"}",
        "/type/author\t/authors/OL2A\t1\t2010\t{\"name\": \"Frank Herbert\"}",
        "/type/author\t/authors/OL2A\t2\t2011\t{\"name\": \"Frank Herbert\"}",
        "/type/author\t/authors/OL3A\t1\t2010\t{\"name\": \"No\\u0000body\"}",
        "/type/edition\t/books/OL1M\t1\t2010\t\(edition)",
        "/type/edition\t/books/OL2M\t1\t2010\t\(good)",
      ].joined(separator: "\n")
      let (outcome, bad) = try await load(file.utf8, .openlibrary, database)
      #expect(bad.map { "\($0.line) \($0.reason)" } == ["1 it has no usable id", "5 it has no usable title"])
      #expect(outcome.added == 1 && outcome.passedOver == 3)
      #expect(try await editions(database, "source_id, authors") == [["OL2M", "{\"Frank Herbert\"}"]])
    }
  }

  @Test("[CA-5] Open Library: authors get their names, several ISBNs of an edition count each, cut JSON is skipped")
  func openLibrary() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      func line(_ type: String, _ key: String, _ json: String) -> String {
        "/type/\(type)\t\(key)\t3\t2010-04-14\t\(json)\n"
      }
      let whole =
        #"{"title": "Dune", "subtitle": "A \"novel\" \\", "isbn_10": ["0441172717"], "isbn_13": ["9780441172719", "9780441013593"], "authors": [{"key": "/authors/OL1A"}, {"key": "/authors/OL9A"}], "publish_date": "August 1965", "languages": [{"key": "/languages/eng"}]}"#
      let file =
        line("author", "/authors/OL1A", #"{"name": "Frank Herbert"}"#)
        + line("edition", "/books/OL1M", whole)
        + line("edition", "/books/OL2M", String(whole.prefix(60)))
        + line("edition", "/books/OL3M", #"{"title": "Before there were ISBNs"}"#)
        + line(
          "edition", "/books/OL4M",
          #"{"title": "By statement", "isbn_10": ["0439023483"], "by_statement": "S. Collins"}"#)
        + line("edition", "/books/OL5M", #"{"title": 7, "isbn_10": ["0439023483"]}"#)
        + line("work", "/works/OL1W", "{}") + "no columns\n"

      let (outcome, bad) = try await load(file.utf8, .openlibrary, database)

      #expect(
        bad.map { "\($0.line) \($0.reason)" } == [
          "3 its JSON cannot be read", "6 its member title is not of the kind that is expected",
          "8 it has 1 columns instead of 5",
        ])
      #expect(outcome.records == 8 && outcome.added == 3 && outcome.passedOver == 3)
      let rows = try await editions(database, "source_id, isbn, titles[2], authors, year, language")
      let long = #"Dune: A "novel" \"#
      #expect(
        rows == [
          ["OL1M", "9780441013593", long, "{\"Frank Herbert\"}", "1965", "eng"],
          ["OL1M", "9780441172719", long, "{\"Frank Herbert\"}", "1965", "eng"],
          ["OL4M", "9780439023481", nil, "{\"S. Collins\"}", nil, ""],
        ])
    }
  }

  @Test(
    "[CA-5] a file that is none of the kind is refused as a whole, with the reason",
    arguments: [
      (Array("a,b\n1,2\n".utf8), "its first line does not name the columns book_id, authors and title"),
      (Array("book_id,title,authors\n".utf8), "its first line names no column isbn, isbn10 or isbn13"),
      ([0xFF, 0xFE, 0x62, 0x00], "it is in UTF-16; convert it to UTF-8"),
      ([0x1F, 0x8B, 0x08, 0x00], "it is compressed; unpack it, into this command's standard input for example"),
    ])
  func unusable(bytes: [UInt8], reason: String) async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { (database) async throws in
      await #expect(throws: UnusableFile(reason: reason)) { try await load(bytes, .goodbooks, database) }
      #expect(try await editions(database).isEmpty)
    }
  }

  @Test("[CA-5] a load that ends in the middle leaves nothing")
  func interrupted() async throws {
    struct Interrupted: Error {}
    try await TestDatabase.with([RunningCatalog.schema]) { (database) async throws in
      let configuration = DatabaseConfiguration(
        url: database.url(of: "catalog"), applicationName: "load", schema: "catalog")
      let loader = BookLoader(.goodbooks, report: { _ in })
      var isFirst = true
      await #expect(throws: Interrupted.self) {
        try await BulkConnection.with(configuration, on: Self.loops.executors[0]) { connection in
          try await loader.load(over: connection) {
            guard isFirst else { throw Interrupted() }
            isFirst = false
            return Array((Self.header + "1,0441172717,,Frank Herbert,Dune,,1965,eng\n").utf8)
          }
        }
      }
      #expect(try await editions(database).isEmpty)
    }
  }

  @Test("[CA-25] [CA-5] D-5: books are found by the original titles of their records, loaded before or after them")
  func originalTitles() async throws {
    try await RunningCatalog.with { catalog in
      let fold: @Sendable () async throws -> Void = {
        try await catalog.database.opened(as: "catalog") { own in
          try await SearchFolding(database: own, logger: .criticalOnly("folding")).fold()
        }
      }
      let search: @Sendable (String) async throws -> [String] = { query in
        try await catalog.books.searchBooks(SearchBooksRequest(query: query), TestUser.grace.options).books.map(\.title)
      }
      let record = { (title: String, original: String) in
        Self.header + "1,0439554934,9780439554930,J.K. Rowling,\"\(title)\",\"\(original)\",1997,eng\n"
      }
      let title = "Harry Potter and the Sorcerer's Stone"
      let author = ["J.K. Rowling"]
      try await catalog.add(title, by: author, isbn: "9780439554930")
      #expect(try await search("philosophers stone").isEmpty)
      _ = try await load(
        record("\(title) (Harry Potter, #1)", "Harry Potter and the Philosopher's Stone").utf8, .goodbooks,
        catalog.database)
      try await fold()
      #expect(try await search("Harry Potter and the Philosopher's Stone") == [title])
      #expect(try await search("philosophers stone") == [title])
      #expect(try await search("filosophers stone") == [title])
      #expect(try await catalog.sql("select count(*) from books where is_outdated") == [["0"]])

      // Added and changed beside the record; a book that its owner has confirmed to be another one is not called so.
      let mine = try await catalog.add("\(title): Illustrated", by: author, isbn: "9780439554930")
      try await catalog.add("Cooking for Two", by: author, isbn: "9780439554930")
      #expect(Set(try await search("harry potter and the philosophers stone")) == ["\(title): Illustrated", title])
      _ = try await catalog.books.updateBook(
        UpdateBookRequest(book: Book(bookID: mine.bookID, title: title), titleConfirmed: true), TestUser.ada.options)
      #expect(try await search("harry potter and the philosophers stone") == [title, title])

      // The record has another title now, and then none beside the owner's.
      _ = try await load(record(title, "Harry Potter à l'école des sorciers").utf8, .goodbooks, catalog.database)
      try await fold()
      #expect(try await search("a l'ecole des sorciers") == [title, title])
      #expect(try await search("philosophers").isEmpty)
      _ = try await load(record(title, "").utf8, .goodbooks, catalog.database)
      try await fold()
      #expect(try await catalog.sql("select distinct other_title_keys::text from books") == [["{}"]])
    }
  }

  @Test("[CA-5] [CA-21] the command loads the sample, and what it loaded is looked up")
  func command() async throws {
    let sample = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Services/Catalog/Samples/books.csv").standardizedFileURL.path
    try await RunningCatalog.with { catalog in
      let url = "--database-url=\(catalog.database.url(of: "catalog"))"
      for _ in 0..<2 {
        try await LoadBooksCommand.parse([sample, "--format", "goodbooks", url]).run()
      }
      let voyage = try await catalog.books.lookUpIsbn(
        LookUpIsbnRequest(isbn: "979-9-900000-13-5"), TestUser.ada.options)
      #expect(
        voyage.title == "The Weaver's Voyage" && voyage.authors == ["Anonymous", "Robin Hale"] && voyage.year == -700)
      #expect(try await catalog.value("select count(*) from editions") == "13")

      let missing = await #expect(throws: StartupError.self) {
        try await LoadBooksCommand.parse(["/nowhere/books.csv", "--format", "goodbooks", url]).run()
      }
      #expect(missing?.lines == ["/nowhere/books.csv cannot be loaded: no such file or directory"])
      let folder = await #expect(throws: StartupError.self) {
        try await LoadBooksCommand.parse(["/", "--format", "openlibrary", url]).run()
      }
      #expect(folder?.lines == ["/ cannot be loaded: it is a folder"])
    }
  }
}
