import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Ends a borrowed loan whose other party does not answer ([LE-10], [LE-12]).
  package func declareLoan(_ call: DeclareLoanRequest, _ context: CallContext) async throws -> Loan {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let loanID = bad.loanID(call.loanID)
    let typed = bad.require(
      "outcome", LendingDomain.LoanOutcome(call.outcome), "Say whether the book is lost or returned",
      LendingReason.outcomeRequired)
    try await addUnknown(loanID, of: user, to: &bad)
    let (id, outcome) = try bad.all(loanID, typed)
    return try await idempotency.execute(
      call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)
    ) { tx in
      let (loan, book) = try await locked(id, tx)
      let decision = try BookStatus.declare(
        outcome, loan.facts, of: book.facts, by: user, at: environment.clock.now, after: declarationWait)
      var trace = TransitionDetails()
      // The database keeps that somebody has said so of every returned loan.
      if decision.step == .declareReturned { trace.returnedBy = decision.party }
      return shown(try await transitions.record(decision, on: loan, by: user, leaving: trace, tx))
    }
  }
}
