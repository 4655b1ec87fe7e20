import CatalogStore
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
    guard let book = try await database.first(BookByID(bookID: id, viewerID: owner)) else { throw Status.noSuchBook }
    guard book.ownerID == owner else { throw Status.notTheOwner }
    guard call.etag.isEmpty || call.etag == book.etag else { throw Status.etagMismatch }
    if call.validateOnly {
      try await deletions.dryRun(book)
    } else {
      try await deletions.requestRetirement(book)
    }
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      try await deletions.conclude(id, tx)
      guard let time = try await deletions.delete(id, of: owner, tx) else { throw Status.noSuchBook }
      return DeleteBookResponse(deleteTime: time.timestamp)
    }
  }
}
