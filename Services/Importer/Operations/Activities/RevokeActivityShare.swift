import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Revokes a link to one of a user's activities ([CA-15]).
  ///
  /// - Throws: `ActivityRefusal`.
  package func revokeActivityShare(_ share: ActivityShareID, of user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteActivityShare(shareID: share, userID: user)) != nil else {
      throw ActivityRefusal.noSuchShare
    }
  }
}
