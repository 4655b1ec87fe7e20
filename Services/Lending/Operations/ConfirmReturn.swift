import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Confirms the return by the ISBN on the book, and stores the borrower's comment ([LE-10]).
  ///
  /// - Parameter comment: the first one counts.
  package func confirmReturn(
    of id: LoanID, by user: UserID, scanning isbn: ISBN, comment: ReturnComment?, _ tx: Transaction
  ) async throws -> StoredLoan {
    var (loan, book) = try await locked(id, tx)
    let decision = try BookStatus.confirm(.giveBack, by: user, scanning: isbn, loan.facts, of: book.facts)
    if comment != nil { try loan.facts.checkCommenter(user) }
    if let decision {
      var trace = TransitionDetails()
      trace.returnedBy = decision.party
      loan = try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
    }
    if let comment, loan.facts.takesComment {
      let now = environment.clock.now
      if try await tx.first(AddComment(comment: comment.text, now: now, loanID: id)) != nil {
        try await transitions.tellComment(comment.text, on: loan, at: now, tx)
      }
    }
    return loan
  }
}
