import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Confirms the handover by the ISBN on the book ([LE-9]).
  package func confirmHandover(_ call: ConfirmHandoverRequest, _ context: CallContext) async throws -> Loan {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (loanID, scanned) = (bad.loanID(call.loanID), bad.isbn(call.isbn))
    try await addUnknown(loanID, of: user, to: &bad)
    let (id, isbn) = try bad.all(loanID, scanned)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let (loan, book) = try await locked(id, tx)
      guard let decision = try BookStatus.confirm(.handover, by: user, scanning: isbn, loan.facts, of: book.facts)
      else { return shown(loan) }
      var trace = TransitionDetails()
      trace.handedOverBy = decision.party
      let moved = try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
      return shown(moved)
    }
  }
}
