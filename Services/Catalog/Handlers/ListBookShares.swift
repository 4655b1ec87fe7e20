import CatalogOperations
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// The links to one of the caller's books, the newest first ([CA-15]).
  package func listBookShares(
    _ call: ListBookSharesRequest, _ context: CallContext
  ) async throws -> ListBookSharesResponse {
    let owner = try context.userID
    var bad = Violations()
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    let shares = try await operations.listBookShares(of: id, by: owner)
    return ListBookSharesResponse(shares: shares.map { BookShare($0) })
  }
}
