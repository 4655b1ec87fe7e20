import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
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
      shown(try await operations.declareLoan(id, outcome, by: user, tx))
    }
  }
}
