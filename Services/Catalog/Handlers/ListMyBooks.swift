import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import TTRPC
import TandemCatalog

extension Books {
  /// A page of the caller's own books: available, requested, accepted, borrowed ([CA-22], [C-5]).
  package func listMyBooks(_ call: ListMyBooksRequest, _ context: CallContext) async throws -> ListMyBooksResponse {
    let owner = try context.userID
    var bad = Violations()
    let status = CatalogDomain.BookStatus(call.status)
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Int64.self, BookID.self)
    try bad.check()
    let found = try await database.rows(
      BooksOfOwner(ownerID: owner, status: status, after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { (page.after?.0 ?? $0.changes, $0.statusOrder, $0.book.id) }
    return ListMyBooksResponse(books: shown.map { Book($0.book, seenBy: owner) }, nextPageToken: next)
  }
}
