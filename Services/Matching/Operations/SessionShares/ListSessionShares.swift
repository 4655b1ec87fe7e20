import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// A user's links to a session of theirs, the newest first ([CA-15]).
  package func listSessionShares(of id: SessionID, by user: UserID) async throws -> [StoredSessionShare] {
    guard let session = try await database.first(SessionByID(sessionID: id)) else { throw SessionRefusal.noSuchSession }
    try session.facts.checkOwner(user)
    return try await database.rows(SharesOfSession(sessionID: id, userID: user))
  }
}
