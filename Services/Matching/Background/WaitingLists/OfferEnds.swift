import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import Postgres

/// The job that ends offers of places that were not taken in time ([MA-17]).
package struct OfferEnds: Sendable {
  private let operations: SessionOperations
  private let jobs: Jobs

  package init(operations: SessionOperations, jobs: Jobs) { (self.operations, self.jobs) = (operations, jobs) }

  package var handler: JobHandler {
    .inDatabase(.endOffer) { text, run, tx in
      guard let id = SessionID(text) else { return }
      let now = try await tx.trusted(jobs.environment.clock.now)
      guard !run.isEarly(at: now) else {
        return try await tx.schedule(Job(.endOffer, text, at: run.dueAgain(at: now, by: jobs)), with: jobs)
      }
      try await operations.endOffer(of: id, tx)
    }
  }
}
