import CatalogDomain
import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// One book for lending; status and borrower are left out, as lending itself decides them.
  package func lookUpBook(_ call: LookUpBookRequest, _ context: CallContext) async throws -> Book {
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    guard let stored = try await database.first(KnownBook(bookID: id)) else { throw BookRefusal.noSuchBook }
    var book = Book(stored, seenBy: stored.ownerID)
    (book.status, book.borrowerID, book.borrowerUsername) = (.unspecified, "", "")
    return book
  }
}
