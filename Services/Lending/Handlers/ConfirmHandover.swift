import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
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
      shown(try await operations.confirmHandover(of: id, by: user, scanning: isbn, tx))
    }
  }
}
