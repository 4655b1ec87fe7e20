import Environment
import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres
import TandemEvents

/// Notifies borrowers of due dates, and of what follows a recall ([LE-12]).
package struct DueNotices: Sendable {
  private let transitions: LoanTransitions
  private let clock: any WallClock

  package init(transitions: LoanTransitions, clock: any WallClock) {
    self.transitions = transitions
    self.clock = clock
  }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.dueReminder) { id, run, tx in
        guard let now = try await time(.dueReminder, id, run, tx), let loan = try await kept(id, tx),
          let due = loan.due, now < due.endsAt
        else { return }
        try await transitions.notify(
          [loan.borrowerID], "loans/\(loan.id)/due", .loanDue(.init(title: loan.title)), of: loan, tx)
      },
      .inDatabase(.overdueNotice) { id, run, tx in
        guard let now = try await time(.overdueNotice, id, run, tx), let loan = try await kept(id, tx),
          let due = loan.due, now >= due.endsAt
        else { return }
        try await transitions.notify(
          [loan.borrowerID], "loans/\(loan.id)/overdue", .loanOverdue(.init(title: loan.title)), of: loan, tx)
      },
      .inDatabase(.lastCall) { id, run, tx in
        guard try await time(.lastCall, id, run, tx) != nil, let loan = try await kept(id, tx), loan.recalledAt != nil
        else { return }
        let owner = loan.ownerID?.description ?? ""
        try await transitions.notify(
          [loan.borrowerID], "loans/\(loan.id)/last_call", .loanLastCall(.init(title: loan.title, userID: owner)),
          of: loan, tx)
      },
    ]
  }

  /// The present; `nil` for a job that came too early, as the clock of this replica is ahead: it comes again.
  private func time(
    _ kind: JobKind<String>, _ payload: String, _ run: JobRun, _ tx: Transaction
  ) async throws -> Instant? {
    let (jobs, now) = (transitions.jobs, try await tx.trusted(clock.now))
    guard run.isEarly(at: now) else { return now }
    try await tx.schedule(Job(kind, payload, at: run.dueAgain(at: now, by: jobs), key: payload), with: jobs)
    return nil
  }

  /// A loan whose borrower still has the book and has not confirmed the return; its book is locked.
  private func kept(_ text: String, _ tx: Transaction) async throws -> StoredLoan? {
    guard let id = LoanID(text) else { return nil }
    let (books, loans) = try await tx.rows(LockedBookOfLoan(loanID: id), LoanByID(loanID: id))
    guard !books.isEmpty, let loan = loans.first, loan.state == .borrowed, loan.giveBack.borrowerAt == nil
    else { return nil }
    return loan
  }
}
