import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// One book, whoever's it is.
  package func getBook(_ call: GetBookRequest, _ context: CallContext) async throws -> Book {
    let viewer = try context.personID
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    guard let stored = try await database.first(BookByID(id)) else { throw Status.noSuchBook }
    return Book(stored, seenBy: viewer)
  }
}
