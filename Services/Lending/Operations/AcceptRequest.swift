import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Accepts a request and declines all others for the book ([LE-7]).
  ///
  /// - Parameter pickup: `nil` if the owner names it later.
  package func acceptRequest(
    _ id: LoanID, by owner: UserID, pickup: Pickup?, due: DueDate?, _ tx: Transaction
  ) async throws -> StoredLoan {
    let (loan, book) = try await locked(id, tx)
    let decision = try BookStatus.accept(loan.facts, of: book.facts, by: owner)
    if book.facts.waiting > 1 {
      // The accepted request itself is still pending here.
      let decline = try BookStatus.declineNext(for: book.facts, leaving: 1)
      try await transitions.declineOthers(than: loan, decline, by: owner, tx)
    }
    var trace = TransitionDetails()
    (trace.pickup, trace.due) = (pickup, due)
    return try await transitions.record(decision, on: loan, by: owner, leaving: trace, tx)
  }
}
