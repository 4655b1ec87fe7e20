import FieldViolations
import Identifiers
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// What is said where nobody asks for anything ([LE-3]).
  static let noRequest = "no request now"

  /// A page of the requests that wait for one of the caller's books, the oldest first ([LE-3], [C-5]).
  package func listRequests(_ call: ListRequestsRequest, _ context: CallContext) async throws -> ListRequestsResponse {
    let owner = try context.userID
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let page = try pages.page(of: call, context, &bad, by: LoanID.self)
    let book = try bad.all(id)
    try await ownBook(book, of: owner)
    let found = try await database.rows(RequestsForBook(for: book, after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListRequestsResponse(
      loans: shown.map { Loan($0, at: environment.clock.now) }, notice: shown.isEmpty ? Self.noRequest : "",
      nextPageToken: next)
  }

  /// - Throws: `noSuchBook` unless the user has it.
  func ownBook(_ id: BookID, of user: UserID) async throws {
    if try await database.first(BookOfOwner(id, of: user)) != nil { return }
    // It may have been added a moment ago.
    try await bookCache.prepare(id)
    guard try await database.first(BookOfOwner(id, of: user)) != nil else { throw LoanRefusal.noSuchBook }
  }
}
