import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Changes the pickup location of an accepted loan, until the handover ([LE-8]).
  package func changePickup(
    of id: LoanID, to pickup: Pickup, by owner: UserID, _ tx: Transaction
  ) async throws -> StoredLoan {
    let (loan, book) = try await locked(id, tx)
    let decision = try BookStatus.changePickup(
      loan.facts, of: book.facts, by: owner, changes: try await pickupChanges(of: loan, to: pickup, tx))
    guard !pickup.isSameChoice(as: loan.pickup) else { return loan }
    var trace = TransitionDetails()
    trace.pickup = pickup
    return try await transitions.record(decision, on: loan, by: owner, leaving: trace, tx)
  }

  /// How often the pickup location was changed within the last day; 0 if this is no change.
  private func pickupChanges(of loan: StoredLoan, to pickup: Pickup, _ tx: Transaction) async throws -> Int {
    guard !pickup.isSameChoice(as: loan.pickup) else { return 0 }
    let since = environment.clock.now - .seconds(86_400)
    return Int(try await tx.first(CountPickupChanges(loanID: loan.id, since: since)) ?? 0)
  }
}
