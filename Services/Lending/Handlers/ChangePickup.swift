import FieldViolations
import Idempotency
import Identifiers
import LendingDomain
import LendingStore
import Postgres
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
      let (loan, book) = try await locked(id, tx)
      let decision = try BookStatus.changePickup(
        loan.facts, of: book.facts, by: owner, changes: try await pickupChanges(of: loan, to: pickup, tx))
      guard !pickup.isSameChoice(as: loan.pickup) else { return shown(loan) }
      var trace = TransitionDetails()
      trace.pickup = pickup
      let moved = try await transitions.record(decision, on: loan, by: owner, leaving: trace, tx)
      return shown(moved)
    }
  }

  /// How often the pickup location was changed within the last day; 0 if this is no change.
  private func pickupChanges(of loan: StoredLoan, to pickup: Pickup, _ tx: Transaction) async throws -> Int {
    guard !pickup.isSameChoice(as: loan.pickup) else { return 0 }
    let since = environment.clock.now - .seconds(86_400)
    return Int(try await tx.first(CountPickupChanges(loanID: loan.id, since: since)) ?? 0)
  }
}
