import Identifiers
import MatchingStore
import Postgres

extension PartnerOperations {
  /// Takes a user off the map ([MA-13]).
  package func removePartnerListing(of user: UserID, _ tx: Transaction) async throws {
    try await tx.execute(TakeOffMap(now: environment.clock.now, userID: user))
  }
}
