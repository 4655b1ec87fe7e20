import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Schedules the job that completes returns that one party confirmed and the other cannot confirm any more ([LE-10], [C-9]).
  package func scheduleCompletions(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.completeReturns, "", at: environment.clock.now, key: "people"), with: jobs)
  }

  /// Completes the return of a loan that one party confirmed before the other deleted the account ([LE-10], [C-9]).
  package func completeReturn(of id: LoanID, _ tx: Transaction) async throws {
    guard let (loan, book) = try await lockedIfThere(id, tx) else { return }
    let gone = loan.ownerID == nil ? Party.owner : .borrower
    guard let decision = try BookStatus.close(loan.facts, of: book.facts, by: gone) else { return }
    _ = try await transitions.record(decision, on: loan, by: nil, tx)
    guard loan.ownerID == nil else { return }
    _ = try await tx.first(MarkRetired(now: environment.clock.now, bookID: loan.bookID))
  }
}
