import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Creates a link by which anyone who has its secret reads one of a user's unmatched sessions ([CA-15]).
  ///
  /// - Parameter hash: that of the secret, which is not stored.
  package func shareSession(
    _ id: SessionID, by user: UserID, secretHash hash: [UInt8], _ tx: Transaction
  ) async throws -> StoredSessionShare {
    let now = environment.clock.now
    try await tx.enter(user, at: now)
    let session = try await locked(id, tx)
    try session.facts.checkShareable(by: user, at: now)
    let insert = InsertSessionShare(
      shareID: environment.newID(), sessionID: id, userID: user, tokenHash: hash, now: now)
    guard let share = try await tx.first(insert) else { throw SessionShareRefusal.tooManyShares }
    return share
  }
}
