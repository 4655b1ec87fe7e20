import FieldViolations
import Identifiers
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// The notice of an answer without requests ([LE-3]).
  static let noRequest = "no request now"

  /// A page of the pending requests for one of the caller's books, the oldest first ([LE-3], [C-5]).
  package func listRequests(_ call: ListRequestsRequest, _ context: CallContext) async throws -> ListRequestsResponse {
    let owner = try context.userID
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let page = try pages.page(of: call, context, &bad, by: LoanID.self)
    let book = try bad.all(id)
    try await ownBook(book, of: owner)
    let found = try await database.rows(RequestsForBook(bookID: book, after: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListRequestsResponse(
      loans: shown.map { Loan($0, at: environment.clock.now) }, notice: shown.isEmpty ? Self.noRequest : "",
      nextPageToken: next)
  }

  /// - Throws: `noSuchBook` unless the user owns it.
  func ownBook(_ id: BookID, of user: UserID) async throws {
    if try await database.first(BookOfOwner(bookID: id, ownerID: user)) != nil { return }
    // The book may have been added a moment ago.
    try await bookCache.prepare(id)
    guard try await database.first(BookOfOwner(bookID: id, ownerID: user)) != nil else { throw LoanRefusal.noSuchBook }
  }
}
