import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Ends a borrowed loan whose other party does not answer ([LE-10], [LE-12]).
  package func declareLoan(
    _ id: LoanID, _ outcome: LoanOutcome, by user: UserID, _ tx: Transaction
  ) async throws -> StoredLoan {
    let (loan, book) = try await locked(id, tx)
    let decision = try BookStatus.declare(
      outcome, loan.facts, of: book.facts, by: user, at: environment.clock.now, after: declarationWait)
    var trace = TransitionDetails()
    // The database keeps of every returned loan which party said so.
    if decision.step == .declareReturned { trace.returnedBy = decision.party }
    return try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
  }
}
