import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Releases a book that is on hold ([CA-29]).
  package func releaseBook(_ id: BookID, by owner: UserID, _ tx: Transaction) async throws {
    guard let book = try await tx.first(LockedBook(bookID: id)) else { throw LoanRefusal.noSuchBook }
    try BookStatus.release(book.facts, by: owner)
    if book.facts.isHeld { try await transitions.release(book, by: owner, tx) }
  }
}
