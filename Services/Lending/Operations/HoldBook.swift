import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Withholds a book that is not promised or lent, and declines the requests for it ([CA-29]).
  ///
  /// - Returns: since when it is on hold, and how many requests were declined just now.
  package func holdBook(
    _ id: BookID, by owner: UserID, _ tx: Transaction
  ) async throws -> (since: Instant, declined: Int) {
    guard let book = try await tx.first(LockedBook(bookID: id)) else { throw LoanRefusal.noSuchBook }
    try BookStatus.hold(book.facts, by: owner)
    if let since = book.heldAt { return (since, 0) }
    let declined = try await transitions.hold(book, by: owner, tx)
    return (environment.clock.now, declined)
  }
}
