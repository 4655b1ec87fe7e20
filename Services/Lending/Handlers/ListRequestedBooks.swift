import FieldViolations
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// A page of the caller's books with pending requests ([LE-3], [C-5]).
  package func listRequestedBooks(
    _ call: ListRequestedBooksRequest, _ context: CallContext
  ) async throws -> ListRequestedBooksResponse {
    let owner = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: BookID.self)
    try bad.check()
    let found = try await database.rows(RequestedBooks(ownerID: owner, after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.bookID }
    return ListRequestedBooksResponse(
      books: shown.map { TandemLending.RequestedBook($0) }, notice: shown.isEmpty ? Self.noRequest : "",
      nextPageToken: next)
  }
}
