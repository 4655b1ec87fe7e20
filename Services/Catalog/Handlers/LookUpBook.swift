import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// One book for lending, which knows better than this service where it is and who has it.
  package func lookUpBook(_ call: LookUpBookRequest, _ context: CallContext) async throws -> Book {
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    guard let stored = try await database.first(KnownBook(id)) else { throw Status.noSuchBook }
    var book = Book(stored, seenBy: stored.ownerID)
    (book.status, book.borrowerID, book.borrowerUsername) = (.unspecified, "", "")
    return book
  }
}
