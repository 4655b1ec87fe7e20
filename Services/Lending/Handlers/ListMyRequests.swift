import FieldViolations
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// A page of the caller's requests, the newest first ([LE-2], [LE-11], [C-5]).
  package func listMyRequests(
    _ call: ListMyRequestsRequest, _ context: CallContext
  ) async throws -> ListMyRequestsResponse {
    let borrower = try context.userID
    var bad = Violations()
    let state = LoanState(call.state)
    let page = try pages.page(of: call, context, &bad, by: LoanID.self)
    try bad.check()
    let found: [StoredLoan]
    if let state {
      found = try await database.rows(
        LoansOfBorrowerInState(borrowerID: borrower, state: state, before: page.after, limit: page.limit))
    } else {
      found = try await database.rows(LoansOfBorrower(borrowerID: borrower, before: page.after, limit: page.limit))
    }
    let (rows, next) = try page.cut(found) { $0.id }
    return ListMyRequestsResponse(loans: rows.map { shown($0) }, nextPageToken: next)
  }
}
