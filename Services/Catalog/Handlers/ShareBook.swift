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
      guard try await tx.first(EnterUser(userID: owner)) != nil else { throw Status.notAUser }
      _ = try await lockedBook(id, of: owner, "", tx)
      let token = SecretToken(randomness: environment.randomness)
      let insert = InsertBookShare(
        bookShareID: environment.newID(), bookID: id, ownerID: owner, tokenHash: token.hash,
        now: environment.clock.now)
      guard let share = try await tx.first(insert) else { throw Status.bookHasMostShares }
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

extension Status {
  /// [CA-15].
  fileprivate static let bookHasMostShares = Status(
    CatalogReason.tooManyShares, "The book has as many links as any can have; revoke one")
}
