import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// The links to one of a user's books, the newest first ([CA-15]).
  package func listBookShares(of id: BookID, by owner: UserID) async throws -> [StoredBookShare] {
    try await requireOwnBook(id, of: owner)
    return try await database.rows(SharesOfBook(bookID: id))
  }
}
