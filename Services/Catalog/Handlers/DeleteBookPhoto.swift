import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Books {
  /// Deletes a photograph of one of the caller's books, in every size ([CA-26]).
  package func deleteBookPhoto(
    _ call: DeleteBookPhotoRequest, _ context: CallContext
  ) async throws -> DeleteBookPhotoResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (book, photo) = (bad.bookID(call.bookID), bad.photoID(call.photoID))
    let (id, photoID) = try bad.all(book, photo)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let change = try await nextChange(.keeps, by: owner, tx)
      _ = try await lockedBook(id, of: owner, "", tx)
      guard try await pictures.remove(photoID, of: id.uuid, in: tx) else { throw Status.noSuchPhoto }
      try await tx.execute(CountPhoto(number: -1, change: change, now: environment.clock.now, bookID: id))
      return DeleteBookPhotoResponse()
    }
  }
}
