import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("ids that are none", .timeLimit(.minutes(5)))
struct BadIDTests {
  @Test(
    "[C-2] a text that is no id is refused by every method that takes one, and the service goes on",
    arguments: ["", "x", "0190"])
  func refused(id: String) async throws {
    try await RunningCatalog.with { catalog in
      let options = TestUser.ada.options
      let (books, gyms) = (catalog.books, catalog.gyms)
      let got = try await refusal { try await books.getBook(GetBookRequest(bookID: id), options) }
      let deleted = try await refusal { try await books.deleteBook(DeleteBookRequest(bookID: id), options) }
      let listed = try await refusal { try await books.listComments(ListCommentsRequest(bookID: id), options) }
      #expect([got, deleted, listed].allSatisfy { $0.fieldReasons == ["BOOK_ID_INVALID"] })
      let gym = try await refusal { try await gyms.getGym(GetGymRequest(gymID: id), options) }
      #expect(gym.fieldReasons == ["GYM_ID_INVALID"])
    }
  }
}
