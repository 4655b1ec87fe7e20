import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// Cancels an accepted loan before the handover ([LE-14]).
  package func cancelLoan(_ call: CancelLoanRequest, _ context: CallContext) async throws -> Loan {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let loanID = bad.loanID(call.loanID)
    try await addUnknown(loanID, of: user, to: &bad)
    let id = try bad.all(loanID)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      shown(try await operations.cancelLoan(id, by: user, tx))
    }
  }
}
