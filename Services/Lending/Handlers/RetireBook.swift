import FieldViolations
import Idempotency
import Identifiers
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending
import Timestamps

extension Loans {
  /// Retires a book that is about to be deleted, if it is available ([CA-24]).
  package func retireBook(_ call: RetireBookRequest, _ context: CallContext) async throws -> RetireBookResponse {
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let owner = bad.require("owner_id", UserID(call.ownerID), "This is no user id", LendingReason.ownerIDInvalid)
    let isbn = bad.require("isbn", ISBN(complete: call.isbn), ISBN.refusal, LendingReason.invalidIsbn)
    let book = try bad.all(id, owner, isbn)
    return try await idempotency.execute(.init(validateOnly: call.validateOnly)) { tx in
      let since = try await operations.retireBook(book.0, of: book.1, isbn: book.2, title: call.title, tx)
      return RetireBookResponse(retireTime: since.timestamp)
    }
  }
}
