import Environment
import Identifiers
import Jobs
import LendingDomain
import LendingOperations
import Postgres

/// The jobs that notify borrowers of due dates, and of what follows a recall ([LE-12]).
package struct DueNotices: Sendable {
  private let operations: LoanOperations
  private let jobs: Jobs

  package init(operations: LoanOperations, jobs: Jobs) {
    self.operations = operations
    self.jobs = jobs
  }

  package var handlers: [JobHandler] {
    [handler(.dueReminder, .reminder), handler(.overdueNotice, .overdue), handler(.lastCall, .lastCall)]
  }

  private func handler(_ kind: JobKind<String>, _ notice: DueNotice) -> JobHandler {
    .inDatabase(kind) { payload, run, tx in
      guard let now = try await time(kind, payload, run, tx), let loan = LoanID(payload) else { return }
      try await operations.giveDueNotice(notice, of: loan, at: now, tx)
    }
  }

  /// The present; `nil` for a job that came too early, as the clock of this replica is ahead: it comes again.
  private func time(
    _ kind: JobKind<String>, _ payload: String, _ run: JobRun, _ tx: Transaction
  ) async throws -> Instant? {
    let now = try await tx.trusted(jobs.environment.clock.now)
    guard run.isEarly(at: now) else { return now }
    try await tx.schedule(Job(kind, payload, at: run.dueAgain(at: now, by: jobs), key: payload), with: jobs)
    return nil
  }
}
