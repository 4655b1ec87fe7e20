import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Ends one of a user's repetitions ([MA-19]).
  package func endRepetition(_ id: RepetitionID, of user: UserID, _ tx: Transaction) async throws {
    // The job's row is locked before the repetition, as by the job itself.
    try await tx.cancel(.repeatSession, key: "\(id)")
    guard try await tx.first(DeleteRepetition(repetitionID: id, userID: user)) != nil else {
      throw RepetitionRefusal.noSuchRepetition
    }
  }
}
