import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Declines a request ([LE-4]).
  package func declineRequest(_ id: LoanID, by owner: UserID, _ tx: Transaction) async throws -> StoredLoan {
    try await step(id, by: owner, tx) { loan, book in try BookStatus.decline(loan, of: book, by: owner) }
  }
}
