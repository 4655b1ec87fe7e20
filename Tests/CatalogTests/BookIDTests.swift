import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("ids of books")
struct BookIDTests {
  @Test("[C-2] an id that is none is a bad field, wherever it is sent", arguments: ["", "x"])
  func bad(id: String) async throws {
    try await RunningCatalog.with { catalog in
      let refused = [
        try await refusal { try await catalog.books.getBook(GetBookRequest(bookID: id), TestUser.ada.options) },
        try await refusal {
          try await catalog.books.lookUpBook(
            LookUpBookRequest(bookID: id), .token("lending", timeout: .seconds(60)))
        },
        try await refusal { try await catalog.books.deleteBook(DeleteBookRequest(bookID: id), TestUser.ada.options) },
      ]
      #expect(refused.map(\.reason) == Array(repeating: "BOOK_ID_INVALID", count: 3))
    }
  }
}
