import FieldViolations
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending
import Timestamps

extension Loans {
  /// A page of borrowers' comments on returns, for a service that has missed events ([LE-10], [C-5]).
  package func listReturnComments(
    _ call: ListReturnCommentsRequest, _ context: CallContext
  ) async throws -> ListReturnCommentsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: LoanID.self)
    try bad.check()
    let found = try await database.rows(ReturnCommentsAfter(after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.loanID }
    return ListReturnCommentsResponse(comments: shown.map { KnownComment($0) }, nextPageToken: next)
  }
}

extension KnownComment {
  fileprivate init(_ stored: ReturnCommentsAfter.Row) {
    self.init(
      loanID: stored.loanID.description, bookID: stored.bookID.description, authorID: stored.authorID.description,
      text: stored.text, createTime: stored.createdAt.timestamp)
  }
}
