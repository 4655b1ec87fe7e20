import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension WorkoutOperations {
  /// The links to one of a user's workouts, the newest first ([CA-15]).
  package func listWorkoutShares(of id: WorkoutID, by owner: UserID) async throws -> [StoredShare] {
    guard let workout = try await database.first(WorkoutByID(workoutID: id, viewerID: owner)), workout.ownerID == owner
    else { throw WorkoutRefusal.noSuchWorkout }
    return try await database.rows(SharesOfWorkout(workoutID: id))
  }
}
