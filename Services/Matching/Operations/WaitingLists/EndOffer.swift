import MatchingDomain
import Postgres

extension SessionOperations {
  /// Ends an offer that was not taken in time, and offers the place to the next ([MA-17]); one that still holds stays.
  package func endOffer(of id: SessionID, _ tx: Transaction) async throws {
    try await transitions.passOnOffer(of: id, tx)
  }
}
