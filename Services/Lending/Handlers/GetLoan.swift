import FieldViolations
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// A loan or request that the caller is a party of.
  package func getLoan(_ call: GetLoanRequest, _ context: CallContext) async throws -> Loan {
    let user = try context.userID
    var bad = Violations()
    let loanID = bad.loanID(call.loanID)
    let id = try bad.all(loanID)
    return shown(try await operations.getLoan(id, for: user))
  }
}
