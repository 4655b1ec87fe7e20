import CatalogDomain
import CatalogOperations
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Books {
  /// Deletes the caller's rating of a book ([CA-28]).
  package func deleteRating(_ call: DeleteRatingRequest, _ context: CallContext) async throws -> DeleteRatingResponse {
    let reader = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("isbn", ISBN(call.isbn), ISBN.refusal, CatalogReason.invalidIsbn)
    let isbn = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.deleteRating(of: isbn, by: reader, tx)
      return DeleteRatingResponse()
    }
  }
}
