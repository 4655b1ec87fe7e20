import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Makes sure that a user owns a book; the catalog is asked about one that is unknown here.
  ///
  /// - Throws: `noSuchBook` otherwise.
  package func requireOwnBook(_ id: BookID, of user: UserID) async throws {
    if try await database.first(BookOfOwner(bookID: id, ownerID: user)) != nil { return }
    // The book may have been added a moment ago.
    try await bookCache.prepare(id)
    guard try await database.first(BookOfOwner(bookID: id, ownerID: user)) != nil else { throw LoanRefusal.noSuchBook }
  }
}
