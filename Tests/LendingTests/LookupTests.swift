import Environment
import Identifiers
import LendingDomain
import TTRPC
import TandemCatalog
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("books that lending asks the catalog about")
struct LookupTests {
  private static func book(_ number: UInt64) -> BookID {
    BookID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
  }

  private static let unknown = ListedBook(id: book(1), owner: .ada)

  private static func answer(_ change: (inout Book) -> Void = { _ in }) -> Book {
    var book = Book(bookID: unknown.text, ownerID: TestUser.ada.id.description, isbn: ListedBook.isbn)
    (book.ownerUsername, book.title, book.description) = ("ada", "Dune", "A planet of sand.")
    change(&book)
    return book
  }

  @Test("[LE-1] a book that lending does not know is requested with what the catalog says of it")
  func looksUp() async throws {
    try await RunningLending.with { lending in
      lending.catalog.books.withLock { $0[Self.unknown.text] = Self.answer() }
      let loan = try await lending.request(Self.unknown)
      #expect(loan.title == "Dune" && loan.ownerID == TestUser.ada.id.description)
    }
  }

  @Test(
    "[LE-1] an answer of the catalog that is not the book counts as none: nothing is stored, and the caller may try again",
    arguments: [
      answer { $0.bookID = "" }, answer { $0.bookID = book(2).description },
      answer { $0.ownerID = "ada" }, answer { $0.isbn = "9780441172710" },
    ])
  func malformed(book: Book) async throws {
    try await RunningLending.with { lending in
      lending.catalog.books.withLock { $0[Self.unknown.text] = book }
      let refused = try await refusal { try await lending.request(Self.unknown) }
      #expect(refused.code == .unavailable && refused.reason == "CATALOG_UNAVAILABLE" && refused.retryAfter != nil)
      #expect(try await lending.value("select count(*) from books") == "0")
      lending.catalog.books.withLock { $0[Self.unknown.text] = Self.answer() }
      #expect(try await lending.request(Self.unknown).title == "Dune")
    }
  }
}
