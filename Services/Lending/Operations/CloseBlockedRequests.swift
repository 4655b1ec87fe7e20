import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Schedules the jobs that close the requests between two users each ([C-10]).
  package func scheduleClosings(_ blocks: [(blocker: UserID, blocked: UserID)], _ tx: Transaction) async throws {
    let pairs = blocks.map { "\($0.blocker)/\($0.blocked)" }.sorted()
    try await tx.schedule(
      each: pairs.map { Job(.closeBlockedRequests, $0, at: environment.clock.now, key: $0) }, with: jobs)
  }

  /// Schedules the job that closes all pending requests between users of whom one has blocked the other ([C-10]).
  package func scheduleClosings(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.closeAllBlockedRequests, "", at: environment.clock.now, key: "people"), with: jobs)
  }

  /// Closes the pending requests for a book between two users, as steps of the blocker ([C-10]).
  package func closeBlockedRequests(
    for id: BookID, between blocker: UserID, and blocked: UserID, _ tx: Transaction
  ) async throws {
    guard var book = try await tx.first(LockedBook(bookID: id))?.facts else { return }
    for loan in try await tx.rows(OpenLoans(bookID: id, userID: blocker)) {
      let party = try loan.facts.party(blocker)
      guard (party == .owner ? loan.borrowerID : loan.ownerID) == blocked else { continue }
      guard let decision = try BookStatus.closeBlocked(loan.facts, of: book, by: party) else { continue }
      _ = try await transitions.record(decision, on: loan, by: blocker, tx)
      book = book.after(decision)
    }
  }
}
