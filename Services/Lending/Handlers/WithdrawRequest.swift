import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// Withdraws one of the caller's pending requests ([LE-2]).
  package func withdrawRequest(_ call: WithdrawRequestRequest, _ context: CallContext) async throws -> Loan {
    let borrower = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let loanID = bad.loanID(call.loanID)
    try await addUnknown(loanID, of: borrower, to: &bad)
    let id = try bad.all(loanID)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      shown(try await operations.withdrawRequest(id, by: borrower, tx))
    }
  }
}
