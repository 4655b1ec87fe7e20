import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Schedules the job that closes the requests and loans of users who deleted their accounts ([C-9]).
  package func scheduleSettlement(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.settleDeletedAccounts, "", at: environment.clock.now, key: "people"), with: jobs)
  }

  /// Closes the requests and loans of one book that a user who deleted the account is a party of, and removes what the book, its loans and
  /// its history hold of the user ([C-9]).
  ///
  /// A borrowed book stays borrowed until it is returned, so that an owner does not lose a book that is lent; a party's confirmation and the
  /// other's account deletion complete the return.
  package func settleAccount(of user: UserID, on id: BookID, _ tx: Transaction) async throws {
    guard var book = try await tx.first(LockedBook(bookID: id))?.facts else { return }
    for loan in try await tx.rows(OpenLoans(bookID: id, userID: user)) {
      let party = loan.ownerID == user ? Party.owner : .borrower
      guard let decision = try BookStatus.close(loan.facts, of: book, by: party) else { continue }
      _ = try await transitions.record(decision, on: loan, by: nil, tx)
      book = book.after(decision)
    }
    try await tx.execute(ForgetActor(userID: user, bookID: id))
    try await tx.execute(ForgetParty(userID: user, bookID: id))
    try await tx.execute(ForgetOwner(now: environment.clock.now, bookID: id, userID: user))
    try await tx.execute(ReleaseOrphan(bookID: id))
    try await tx.execute(DeleteOrphans(bookID: id))
    try await tx.execute(DeleteOrphan(bookID: id))
  }
}
