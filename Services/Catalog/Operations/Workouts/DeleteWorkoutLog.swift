import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TandemEvents

extension WorkoutOperations {
  /// Deletes one of a user's logs ([CA-14]).
  package func deleteWorkoutLog(_ id: WorkoutLogID, of owner: UserID, _ tx: Transaction) async throws {
    // The user's row is locked before any other.
    try await tx.enter(owner)
    guard try await tx.first(DeleteLog(logID: id, ownerID: owner, now: environment.clock.now)) != nil else {
      throw WorkoutRefusal.noSuchLog
    }
    try await events.publish(WorkoutLogDeleted(logID: id.description, userID: owner.description), in: tx)
  }
}
