import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Recalls a borrowed book ([LE-12]).
  package func recallLoan(_ id: LoanID, by owner: UserID, _ tx: Transaction) async throws -> StoredLoan {
    var trace = TransitionDetails()
    trace.isRecall = true
    return try await step(id, by: owner, leaving: trace, tx) { loan, book in
      try BookStatus.recall(loan, of: book, by: owner)
    }
  }
}
