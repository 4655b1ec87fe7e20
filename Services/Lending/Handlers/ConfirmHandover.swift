import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Confirms the handover by the ISBN on the book ([LE-9]).
  package func confirmHandover(_ call: ConfirmHandoverRequest, _ context: CallContext) async throws -> Loan {
    let person = try context.personID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (loanID, scanned) = (bad.loanID(call.loanID), bad.isbn(call.isbn))
    let (id, isbn) = try bad.all(loanID, scanned)
    return try await replays.once(call, context.requestKey(requestID)) { tx in
      let (loan, book) = try await locked(id, tx)
      guard let decision = try BookStatus.confirm(.handover, by: person, scanning: isbn, loan.facts, of: book.facts)
      else { return Loan(loan, at: ambient.clock.now) }
      var trace = LoanTrace()
      trace.handedOverBy = decision.party
      let moved = try await journal.record(decision, on: loan, by: person, leaving: trace, tx)
      return Loan(moved, at: ambient.clock.now)
    }
  }
}
