import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Confirms the handover by the ISBN on the book ([LE-9]).
  package func confirmHandover(
    of id: LoanID, by user: UserID, scanning isbn: ISBN, _ tx: Transaction
  ) async throws -> StoredLoan {
    let (loan, book) = try await locked(id, tx)
    guard let decision = try BookStatus.confirm(.handover, by: user, scanning: isbn, loan.facts, of: book.facts)
    else { return loan }
    var trace = TransitionDetails()
    trace.handedOverBy = decision.party
    return try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
  }
}
