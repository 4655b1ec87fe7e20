import Blocks
import Foundation
import Postgres
import CatalogDomain
import CatalogStore
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

@Suite("searching books")
struct SearchBooksTests {
  @Test("[CA-25] every keyword must occur, in title, author, ISBN or description")
  func everyKeyword() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.addShelf()
      func titles(_ query: String) async throws -> Set<String> {
        let found = try await catalog.search(query)
        return found.match == .exact ? Set(found.books.map(\.title)) : []
      }
      #expect(try await titles("tolkien") == ["The Hobbit", "The Lord of the Rings"])
      #expect(try await titles("tolkien heavy") == ["The Lord of the Rings"])
      #expect(try await titles("TOLKIEN maps hobbit") == ["The Hobbit"])
      #expect(try await titles("miserables") == ["Les Misérables"])
      #expect(try await titles("Misérables hugo") == ["Les Misérables"])
      #expect(try await titles("hob tolk") == ["The Hobbit"], "the beginning of a word will do")
      for isbn in ["978-0-547-92822-7", "054792822x", "978 0 547 92822 7", "0-547-92822-X maps", "97805479"] {
        #expect(try await titles(isbn) == ["The Hobbit"], "\(isbn)")
      }
      #expect(try await titles("9780547928228") == [])
      #expect(try await titles("tolkien hugo") == [])
    }
  }

  @Test("[CA-25] a title counts more than a description, and rows show description, owner and status")
  func ranking() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.addShelf()
      let found = try await catalog.search("hobbit")
      #expect(found.books.map(\.title) == ["The Hobbit", "Les Misérables"] && found.match == .exact)
      #expect(found.books.map(\.description) == ["With maps", "No hobbit in it"])
      #expect(found.books.allSatisfy { $0.ownerUsername == "ada" && $0.status == .available })
      #expect(found.notice.isEmpty)
    }
  }

  @Test(
    "[CA-25] [C-2] of a text without words something must be entered, and one that is too long is refused",
    arguments: [
      ("", "QUERY_REQUIRED"), (" \t\n", "QUERY_REQUIRED"), ("!!! ' - …", "QUERY_REQUIRED"), ("🙂", "QUERY_REQUIRED"),
      ("\u{200B}\u{202E}\u{AD}", "QUERY_REQUIRED"), ("\u{301}", "QUERY_REQUIRED"),
      (String(repeating: "x", count: 10_000), "QUERY_TOO_LONG"),
      (String(repeating: "a ", count: 5_000), "QUERY_TOO_LONG"),
      (String(repeating: "e\u{301}", count: 201), "QUERY_TOO_LONG"),
      ((1...21).map { "w\($0)" }.joined(separator: " "), "QUERY_TOO_LONG"),
    ])
  func noQuery(text: String, reason: String) async throws {
    try await RunningCatalog.with { catalog in
      let refused = try await refusal { try await catalog.search(text) }
      #expect(refused.code == .invalidArgument && refused.fields == ["query"] && refused.fieldReasons == [reason])
    }
  }

  @Test("[CA-25] books with the word come before those with longer words that begin with it")
  func wholeWordsFirst() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Artist")
      try await catalog.add("A history of what is called art", description: "long")
      try await catalog.add("Art Artists", description: "short")
      try await catalog.add("Arthur", description: "About the art of ruling, which is long and seldom read")
      let titles = try await catalog.search("art").books.map(\.title)
      #expect(Set(titles.prefix(3)) == ["A history of what is called art", "Art Artists", "Arthur"])
      #expect(titles.last == "Artist")
    }
  }

  @Test("[CA-25] of an ISBN the first digits are enough, with hyphens or without")
  func partialISBN() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.addShelf()
      for part in ["978-0-547", "97805479", "978-0-5479-2822", "054792"] {
        #expect(try await catalog.search(part).books.map(\.title) == ["The Hobbit"], "\(part)")
      }
      // The first ten digits of an ISBN-13 that are also an ISBN-10 with a right check digit.
      try await catalog.add("Prefix", isbn: "9781515303114")
      #expect(try await catalog.search("9781515303").books.map(\.title) == ["Prefix"])
    }
  }

  @Test("[CA-25] finds available and requested books, and accepted and borrowed ones in the unavailable search")
  func scopes() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Dune A")
      try await catalog.lend(catalog.add("Dune B"), .requested)
      try await catalog.lend(catalog.add("Dune C"), .accepted, to: .grace)
      try await catalog.lend(catalog.add("Dune D"), .borrowed, to: .grace)
      let (available, unavailable) = (
        try await catalog.search("dune"), try await catalog.search("dune", .unavailable)
      )
      #expect(Set(available.books.map(\.title)) == ["Dune A", "Dune B"])
      #expect(Set(unavailable.books.map(\.title)) == ["Dune C", "Dune D"])
      #expect(Set(unavailable.books.map(\.status)) == [.accepted, .borrowed])
      #expect(unavailable.books.allSatisfy { $0.borrowerID.isEmpty }, "who has it is its owner's business")
    }
  }

  @Test("[C-7] [CA-25] nothing found is no error, and says so in the words of the search")
  func notices() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.addShelf()
      let (none, noneUnavailable) = (
        try await catalog.search("xylophone"), try await catalog.search("hobbit", .unavailable)
      )
      #expect(none.books.isEmpty && none.notice == "No match book" && none.match == .unspecified)
      #expect(noneUnavailable.books.isEmpty && noneUnavailable.notice == "No match book is found")
    }
  }

  @Test("[CA-25] an empty search is refused", arguments: ["", "   ", "?!"])
  func empty(query: String) async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal { try await catalog.search(query) }
      #expect(status.code == .invalidArgument && status.message == "You must enter something")
      #expect(status.reason == "QUERY_REQUIRED" && status.fields == ["query"])
      let long = try await refusal {
        try await catalog.search(String(repeating: "a ", count: 300), size: -1)
      }
      #expect(long.fieldReasons == ["QUERY_TOO_LONG", "PAGE_SIZE_INVALID"])
      let unknown = try await refusal { try await catalog.search(query, .unrecognized(7)) }
      #expect(Set(unknown.fieldReasons) == ["QUERY_REQUIRED", "ENUM_VALUE_UNKNOWN"])
      #expect(Set(unknown.fields) == ["query", "scope"])
    }
  }
}
