import CatalogOperations
import CatalogStore
import Cryptography
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog
import Timestamps

extension Books {
  /// Creates a link by which anyone can read what one of the caller's books is ([CA-15]). Its secret is in this answer only.
  package func shareBook(_ call: ShareBookRequest, _ context: CallContext) async throws -> ShareBookResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let token = SecretToken(randomness: environment.randomness)
      let share = try await operations.shareBook(id, by: owner, secretHash: token.hash, tx)
      return ShareBookResponse(share: BookShare(share), token: token.text)
    }
  }
}

extension BookShare {
  init(_ stored: StoredBookShare) {
    self.init(
      shareID: stored.id.description, bookID: stored.bookID.description, createTime: stored.createdAt.timestamp)
  }
}
