import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// Declines a request for one of the caller's books ([LE-4]).
  package func declineRequest(_ call: DeclineRequestRequest, _ context: CallContext) async throws -> Loan {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let loanID = bad.loanID(call.loanID)
    try await addUnknown(loanID, of: owner, to: &bad)
    let id = try bad.all(loanID)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      shown(try await operations.declineRequest(id, by: owner, tx))
    }
  }
}
