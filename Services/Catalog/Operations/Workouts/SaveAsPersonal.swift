import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// What is copied.
package enum CopySource: Sendable {
  case workout(WorkoutID)
  /// What a link shares, by the hash of its secret; `nil` for a text that is not one.
  case link(secretHash: [UInt8]?)
}

extension WorkoutOperations {
  /// Saves a copy of a curated workout, a shared one or one of a user's own as a workout of the user ([CA-11], [CA-15]).
  ///
  /// - Parameter name: `nil` for the name of the original.
  package func saveAsPersonal(
    _ source: CopySource, named name: WorkoutName?, for owner: UserID, _ tx: Transaction
  ) async throws -> Whole {
    let found = try await original(source, for: owner, tx)
    var plan = found.plan(try await tx.rows(EntriesOfWorkouts(workoutIDs: [found.id])))
    plan.name = name ?? plan.name
    // The copy has entries of its own.
    let entries = plan.entries.map { PlannedEntry(newEntryID(), $0.exercise, $0.target) }
    try plan.replaceEntries(entries)
    return try await add(plan, to: owner, tx)
  }

  private func original(_ source: CopySource, for owner: UserID, _ tx: Transaction) async throws -> StoredWorkout {
    switch source {
    case .workout(let id):
      guard let workout = try await tx.first(WorkoutByID(workoutID: id, viewerID: owner)) else {
        throw WorkoutRefusal.noSuchWorkout
      }
      return workout
    case .link(let hash):
      guard let hash, let workout = try await tx.first(SharedWorkoutByToken(tokenHash: hash)) else {
        throw ShareRefusal.noSuchShare
      }
      return workout
    }
  }
}
