import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Takes an offer back from a user who deleted the account, or does not see the session any more; it passes to the next ([MA-17]).
  package func releaseOffer(of id: SessionID, from user: UserID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)), session.offeredTo == user else { return }
    try await transitions.offer(session, tx)
  }
}
