import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// Creates a link by which anyone who has its secret reads what one of a user's books is ([CA-15]).
  ///
  /// - Parameter hash: that of the secret, which is not stored.
  package func shareBook(
    _ id: BookID, by owner: UserID, secretHash hash: [UInt8], _ tx: Transaction
  ) async throws -> StoredBookShare {
    try await tx.enter(owner)
    _ = try await lockedBook(id, of: owner, tx)
    let insert = InsertBookShare(
      bookShareID: environment.newID(), bookID: id, ownerID: owner, tokenHash: hash, now: environment.clock.now)
    guard let share = try await tx.first(insert) else { throw ShareRefusal.tooManyOfBook }
    return share
  }
}
