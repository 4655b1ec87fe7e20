import FieldViolations
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// A page of the accepted and borrowed loans of the caller's books, with their borrowers ([LE-11], [C-5]).
  package func listLentBooks(
    _ call: ListLentBooksRequest, _ context: CallContext
  ) async throws -> ListLentBooksResponse {
    let owner = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: LoanID.self)
    try bad.check()
    let found = try await database.rows(LentBooks(ownerID: owner, before: page.after, limit: page.limit))
    let (rows, next) = try page.cut(found) { $0.id }
    return ListLentBooksResponse(loans: rows.map { shown($0) }, nextPageToken: next)
  }
}
