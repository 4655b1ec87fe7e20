import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// Requests a book ([LE-1]); whether it can be requested is decided by lending's own data ([LE-15]).
  package func requestBook(_ call: RequestBookRequest, _ context: CallContext) async throws -> Loan {
    let borrower = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    let key = context.requestKey(requestID)
    // By now the catalog may not have the book any more.
    if let first: Loan = try await idempotency.firstAnswer(to: call, key) { return first }
    try await operations.prepareRequest(of: id)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      shown(try await operations.requestBook(id, by: borrower, tx))
    }
  }
}
