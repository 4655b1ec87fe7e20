import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Retires the books that the catalog has deleted; it asked to retire each before ([CA-24]).
  package func retireDeletedBooks(_ ids: [BookID], _ tx: Transaction) async throws {
    try await tx.execute(RetireAvailableBooks(bookIDs: ids, now: environment.clock.now))
  }
}
