import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Changes the pickup location for one of the caller's books, until the handover ([LE-8]).
  package func changePickup(_ call: ChangePickupRequest, _ context: CallContext) async throws -> Loan {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let loan = bad.loanID(call.loanID)
    let place = try await pickup(call.pickup, &bad)
    let (id, pickup) = try bad.all(loan, place)
    var trace = TransitionDetails()
    trace.pickup = pickup
    return try await idempotency.execute(call, context.requestKey(requestID)) { [trace] tx in
      try await step(id, by: owner, leaving: trace, tx) { loan, book in
        let decision = try BookStatus.changePickup(loan.facts, of: book, by: owner)
        return loan.pickup == pickup ? nil : decision
      }
    }
  }
}
