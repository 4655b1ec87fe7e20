import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Cancels an accepted loan before the handover ([LE-14]).
  package func cancelLoan(_ id: LoanID, by user: UserID, _ tx: Transaction) async throws -> StoredLoan {
    try await step(id, by: user, tx) { loan, book in try BookStatus.cancel(loan, of: book, by: user) }
  }
}
