import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import TandemEvents

extension Books {
  /// Deletes one of the caller's books while it is available ([CA-24]).
  package func deleteBook(_ call: DeleteBookRequest, _ context: CallContext) async throws -> DeleteBookResponse {
    let owner = try context.personID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    return try await replays.once(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
      let change = try await nextChange(.keeps, by: owner, tx)
      let book = try await lockedBook(id, of: owner, call.etag, tx)
      guard book.status.permitsDeletion else { throw Status.notAvailable }
      let now = ambient.clock.now
      try await tx.execute(MarkBookDeleted(id, change: change, now: now))
      try await events.publish(
        BookDeleted(bookID: id.description, ownerID: owner.description, deleteTime: now.timestamp), in: tx)
      return DeleteBookResponse(deleteTime: now.timestamp)
    }
  }
}
