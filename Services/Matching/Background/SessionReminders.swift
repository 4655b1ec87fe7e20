import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import Postgres

/// The job that reminds both participants of a matched session an hour before its start ([MA-12]). A user who joins within that hour is not
/// reminded.
package struct SessionReminders: Sendable {
  /// Sessions in one transaction.
  private static let batch = 500

  private let operations: SessionOperations
  private let jobs: Jobs

  package init(operations: SessionOperations, jobs: Jobs) { (self.operations, self.jobs) = (operations, jobs) }

  package var handler: JobHandler {
    .inDatabase(.remindParticipants) { payload, run, tx in
      let parts = payload.split(separator: "/")
      guard let microseconds = parts.first.flatMap({ Int64($0) }) else { throw JobRefusal("its payload is no time") }
      let start = Instant(microseconds: microseconds)
      // After a downtime a reminder of what has begun is of no use.
      guard jobs.environment.clock.now < start else { return }
      let after = parts.dropFirst().first.flatMap { SessionID(String($0)) } ?? SessionID(UUID7(high: 0, low: 0))
      try await remind(start, after: after, run, tx)
    }
  }

  private func remind(_ start: Instant, after: SessionID, _ run: JobRun, _ tx: Transaction) async throws {
    let sessions = try await operations.remindParticipants(ofSessionsAt: start, after: after, limit: Self.batch, tx)
    guard sessions.count == Self.batch, let last = sessions.last else { return }
    let key = "\(start.microseconds)"
    try await tx.schedule(Job(.remindParticipants, "\(key)/\(last)", at: run.due, key: key), with: jobs)
  }
}
