import CatalogDomain
import CatalogStore
import FieldViolations
import Pagination
import TTRPC
import TandemCatalog

extension Books {
  /// A page of the comments on a book, the newest first ([CA-27], [C-5]).
  package func listComments(_ call: ListCommentsRequest, _ context: CallContext) async throws -> ListCommentsResponse {
    let viewer = try context.userID
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let page = try pages.page(of: call, context, &bad, by: CommentID.self)
    let book = try bad.all(id)
    guard try await database.first(BookByID(bookID: book, viewerID: viewer)) != nil else {
      throw BookRefusal.noSuchBook
    }
    let found = try await database.rows(
      CommentsBefore(bookID: book, before: page.after, viewerID: viewer, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListCommentsResponse(comments: shown.map { Comment($0) }, nextPageToken: next)
  }
}
