import FieldViolations
import Identifiers
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// The books, among those given, for which a user has a pending request: the catalog does not recommend them ([CA-28]).
  package func findRequestedBooks(
    _ call: FindRequestedBooksRequest, _ context: CallContext
  ) async throws -> FindRequestedBooksResponse {
    var bad = Violations()
    let named = bad.require(
      "borrower_id", UserID(call.borrowerID), "This is not the id of a user", LendingReason.userIDInvalid)
    let ids = try bad.bookIDs(call.bookIds)
    let borrower = try bad.all(named)
    let found = try await database.rows(BooksWaitedFor(borrowerID: borrower, bookIDs: ids))
    return FindRequestedBooksResponse(bookIds: found.map(\.description))
  }
}
