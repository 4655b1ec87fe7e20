import FieldViolations
import LendingDomain
import LendingOperations
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// The notice of an answer without requests ([LE-3]).
  static let noRequest = "no request now"

  /// A page of the requests for one of the caller's books: the pending ones, the oldest first, and then the others, the newest first
  /// ([LE-3], [C-5]).
  package func listRequests(_ call: ListRequestsRequest, _ context: CallContext) async throws -> ListRequestsResponse {
    let owner = try context.userID
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let page = try pages.page(of: call, context, &bad, by: Int64.self, LoanID.self)
    let book = try bad.all(id)
    try await operations.requireOwnBook(book, of: owner)
    var found: [StoredLoan] = []
    if page.after?.0 != Self.answered {
      found = try await database.rows(RequestsForBook(bookID: book, after: page.after?.1, limit: page.limit))
    }
    if Int64(found.count) < page.limit {
      found += try await database.rows(
        AnsweredRequestsForBook(
          bookID: book, before: page.after.flatMap { $0.0 == Self.answered ? $0.1 : nil },
          limit: page.limit - Int64(found.count)))
    }
    let (rows, next) = try page.cut(found) { ($0.state == .pending ? 0 : Self.answered, $0.id) }
    return ListRequestsResponse(
      loans: rows.map { shown($0) }, notice: rows.isEmpty ? Self.noRequest : "", nextPageToken: next)
  }

  /// In a page token: the pending requests have been listed.
  private static let answered: Int64 = 1
}
