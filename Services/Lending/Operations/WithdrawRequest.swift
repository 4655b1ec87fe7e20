import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Withdraws a pending request ([LE-2]).
  package func withdrawRequest(_ id: LoanID, by borrower: UserID, _ tx: Transaction) async throws -> StoredLoan {
    try await step(id, by: borrower, tx) { loan, book in try BookStatus.withdraw(loan, of: book, by: borrower) }
  }
}
