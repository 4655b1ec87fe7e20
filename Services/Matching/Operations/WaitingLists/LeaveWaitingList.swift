import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Removes a user from the waiting list of a session; an offer to them passes to the next ([MA-17]).
  package func leaveWaitingList(of id: SessionID, _ user: UserID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)),
      try await tx.first(DeleteWaiting(sessionID: id, userID: user)) != nil, session.offeredTo == user
    else { return }
    try await transitions.offer(session, tx)
  }
}
