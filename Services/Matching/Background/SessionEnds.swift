import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import Postgres

/// The job that finishes successful sessions at their end that no participant has finished ([MA-11]).
package struct SessionEnds: Sendable {
  private let operations: SessionOperations
  private let jobs: Jobs

  package init(operations: SessionOperations, jobs: Jobs) { (self.operations, self.jobs) = (operations, jobs) }

  package var handler: JobHandler {
    .inDatabase(.finishSession) { payload, _, tx in
      guard let id = SessionID(payload) else { throw JobRefusal("its payload is no id") }
      guard let left = try await operations.finishEndedSession(id, tx) else { return }
      // This replica's clock is ahead, and its job came too early: the time is left by any clock.
      try await tx.schedule(Job(.finishSession, id.description, at: jobs.environment.clock.now + left), with: jobs)
    }
  }
}
