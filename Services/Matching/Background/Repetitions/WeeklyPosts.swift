import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import Postgres

/// The job that posts the sessions of repetitions, each when the one of the week before begins ([MA-19]).
package struct WeeklyPosts: Sendable {
  private let operations: SessionOperations

  package init(operations: SessionOperations) { self.operations = operations }

  package var handler: JobHandler {
    .inDatabase(.repeatSession) { payload, run, tx in
      guard let id = RepetitionID(payload), let next = try await operations.postRepetition(id, due: run.due, tx) else {
        return
      }
      try await operations.scheduleRepetition(id, at: next, tx)
    }
  }
}
