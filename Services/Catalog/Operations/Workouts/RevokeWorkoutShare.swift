import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Revokes a link to one of a user's workouts ([CA-15]).
  package func revokeWorkoutShare(_ id: WorkoutShareID, of owner: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteShare(shareID: id, ownerID: owner)) != nil else { throw ShareRefusal.noSuchShare }
  }
}
