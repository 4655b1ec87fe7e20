import CatalogDomain
import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// Any user's book, unless its owner and the caller have blocked each other ([C-10]).
  package func getBook(_ call: GetBookRequest, _ context: CallContext) async throws -> Book {
    let viewer = try context.userID
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    guard let stored = try await database.first(BookByID(bookID: id, viewerID: viewer)) else {
      throw BookRefusal.noSuchBook
    }
    return Book(stored, seenBy: viewer)
  }
}
