import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Finishes a successful session ([MA-11]); the transaction has it locked afterwards.
  package func finishSession(_ id: SessionID, by user: UserID, _ tx: Transaction) async throws {
    let now = environment.clock.now
    let session = try await locked(id, tx)
    guard try session.facts.finish(by: user, at: now) else { return }
    try await transitions.finish(session, at: now, tx)
  }
}
