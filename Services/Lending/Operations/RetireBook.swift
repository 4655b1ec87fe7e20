import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Retires a book that is about to be deleted, if it is available ([CA-24]).
  ///
  /// Owner, ISBN and title are those that the catalog has, for a book that is unknown here.
  ///
  /// - Returns: since when it is retired.
  package func retireBook(
    _ id: BookID, of owner: UserID, isbn: ISBN, title: String, _ tx: Transaction
  ) async throws -> Instant {
    if try await tx.first(LockedBook(bookID: id)) == nil {
      // An unknown book may be requested concurrently: a row is needed to lock.
      try await PutBook(ownerID: owner, bookID: id, isbn: isbn, title: title, description: "").keep(in: tx)
    }
    guard let locked = try await tx.first(LockedBook(bookID: id)) else { throw LoanRefusal.noSuchBook }
    try BookStatus.retire(locked.facts)
    let now = environment.clock.now
    return try await tx.first(MarkRetired(now: now, bookID: id)) ?? now
  }
}
