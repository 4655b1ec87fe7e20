import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// Creates a link by which anyone who has its secret reads one of a user's workouts ([CA-15]).
  ///
  /// - Parameter hash: that of the secret, which is not stored.
  package func shareWorkout(
    _ id: WorkoutID, by owner: UserID, secretHash hash: [UInt8], _ tx: Transaction
  ) async throws -> StoredShare {
    _ = try await nextChange(.keeps, by: owner, tx)
    _ = try await ownWorkout(id, of: owner, tx)
    let insert = InsertShare(
      shareID: environment.newID(), workoutID: id, ownerID: owner, tokenHash: hash, now: environment.clock.now)
    guard let share = try await tx.first(insert) else { throw ShareRefusal.tooManyOfWorkout }
    return share
  }
}
