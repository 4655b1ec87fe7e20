import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Revokes one of a user's links to sessions ([CA-15]).
  package func revokeSessionShare(_ id: SessionShareID, of user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteSessionShare(shareID: id, userID: user)) != nil else {
      throw SessionShareRefusal.noSuchShare
    }
  }
}
