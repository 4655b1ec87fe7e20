import CatalogStore
import Identifiers
import Postgres
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("calls that wait for a lock", .timeLimit(.minutes(5)))
struct LockWaitTests {
  @Test("[CA-23] S-2 A2: 16 changes of one user's book that wait for it leave others' additions and looks quick")
  func changes() async throws {
    try await RunningCatalog.with { catalog in
      let (ada, grace) = (TestUser.ada, TestUser.grace)
      let hers = try await catalog.add("Dune")
      let id = try #require(BookID(hers.bookID))
      let slowest = try await slowestCall(
        over: (0..<4).map { _ in catalog.service.connected() }, in: catalog.own,
        holding: { tx in _ = try await tx.first(LockedBook(bookID: id, viewerID: ada.id)) },
        waiting: { client, number in
          _ = try await BooksClient(client).updateBook(
            UpdateBookRequest(book: Book(bookID: hers.bookID, description: "Copy \(number).")), ada.options)
        },
        other: { client, number in
          guard number.isMultiple(of: 2) else {
            _ = try await BooksClient(client).getBook(GetBookRequest(bookID: hers.bookID), grace.options)
            return
          }
          let book = Book(title: "Emma", authors: ["Jane Austen"], isbn: "9780441172719", description: "Read.")
          _ = try await BooksClient(client).addBook(AddBookRequest(book: book, titleConfirmed: true), grace.options)
        })
      #expect(slowest < .seconds(6), "\(slowest)")
      #expect(try await catalog.value("select count(*) from books where title = 'Emma'") == "15")
    }
  }
}
