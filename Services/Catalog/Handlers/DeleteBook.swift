import CatalogDomain
import CatalogOperations
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import Timestamps

extension Books {
  /// Deletes one of the caller's books while it is available ([CA-24]); lending decides whether it is.
  package func deleteBook(_ call: DeleteBookRequest, _ context: CallContext) async throws -> DeleteBookResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    let key = context.requestKey(requestID)
    if let answer: DeleteBookResponse = try await idempotency.firstAnswer(to: call, key) { return answer }
    let book = try await operations.requireOwnBook(id, of: owner, expecting: Etag.revision(of: call.etag))
    if call.validateOnly {
      try await operations.checkRetirement(book)
    } else {
      try await operations.requestRetirement(book)
    }
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      try await operations.concludeDeletion(of: id, tx)
      guard let time = try await operations.deleteBook(id, of: owner, tx) else { throw BookRefusal.noSuchBook }
      return DeleteBookResponse(deleteTime: time.timestamp)
    }
  }
}
