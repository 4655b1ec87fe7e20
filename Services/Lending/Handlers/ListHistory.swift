import FieldViolations
import LendingDomain
import LendingOperations
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// A page of the history of one of the caller's books, or of a loan that the caller is a party of, the newest first ([LE-13], [C-5]).
  package func listHistory(_ call: ListHistoryRequest, _ context: CallContext) async throws -> ListHistoryResponse {
    let user = try context.userID
    var bad = Violations()
    let subject = HistorySubject(call.subject, &bad)
    let page = try pages.page(of: call, context, &bad, by: Int64.self)
    let found: [LendingStore.HistoryEntry]
    switch try bad.all(subject) {
    case .book(let id):
      try await operations.requireOwnBook(id, of: user)
      found = try await database.rows(HistoryOfBook(bookID: id, before: page.after, limit: page.limit))
    case .loan(let id):
      _ = try await operations.getLoan(id, for: user)
      found = try await database.rows(HistoryOfLoan(loanID: id, before: page.after, limit: page.limit))
    }
    let (shown, next) = try page.cut(found) { $0.number }
    return ListHistoryResponse(entries: shown.map { TandemLending.HistoryEntry($0) }, nextPageToken: next)
  }
}

/// The book or loan whose history is requested.
private enum HistorySubject {
  case book(BookID)
  case loan(LoanID)

  init?(_ wire: ListHistoryRequest.Subject?, _ bad: inout Violations) {
    switch wire {
    case .bookID(let text):
      guard let id = bad.bookID(text) else { return nil }
      self = .book(id)
    case .loanID(let text):
      guard let id = bad.loanID(text) else { return nil }
      self = .loan(id)
    case nil:
      bad.add("subject", "Name a book or a loan", LendingReason.subjectRequired)
      return nil
    }
  }
}
