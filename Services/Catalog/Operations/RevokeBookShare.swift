import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// Revokes a link to one of a user's books ([CA-15]).
  package func revokeBookShare(_ id: BookShareID, of owner: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteBookShare(bookShareID: id, ownerID: owner)) != nil else {
      throw ShareRefusal.noSuchShare
    }
  }
}
