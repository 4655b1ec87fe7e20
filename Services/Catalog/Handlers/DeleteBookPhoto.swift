import CatalogOperations
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
      try await operations.deleteBookPhoto(photoID, of: id, by: owner, tx)
      return DeleteBookPhotoResponse()
    }
  }
}
