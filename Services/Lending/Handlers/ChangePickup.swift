import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// Changes the pickup location for one of the caller's books, until the handover ([LE-8]).
  package func changePickup(_ call: ChangePickupRequest, _ context: CallContext) async throws -> Loan {
    let owner = try context.userID
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the places may be others.
    if let first: Loan = try await idempotency.firstAnswer(to: call, key) { return first }
    let loan = bad.loanID(call.loanID)
    let place = try await pickup(call.pickup, &bad)
    try await addUnknown(loan, of: owner, to: &bad)
    let (id, pickup) = try bad.all(loan, place)
    return try await idempotency.execute(call, key) { tx in
      shown(try await operations.changePickup(of: id, to: pickup, by: owner, tx))
    }
  }
}
