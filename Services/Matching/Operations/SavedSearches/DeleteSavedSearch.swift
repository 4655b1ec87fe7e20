import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Deletes one of a user's saved searches.
  package func deleteSavedSearch(_ id: SearchID, of user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteSearch(searchID: id, userID: user)) != nil else {
      throw SavedSearchRefusal.noSuchSearch
    }
  }
}
