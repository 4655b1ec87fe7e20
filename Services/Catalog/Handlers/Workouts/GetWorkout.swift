import CatalogDomain
import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Workouts {
  /// A curated workout or one of the caller's ([CA-11], [CA-12]).
  package func getWorkout(_ call: GetWorkoutRequest, _ context: CallContext) async throws -> Workout {
    let viewer = try context.userID
    var bad = Violations()
    let named = bad.workoutID(call.workoutID)
    let id = try bad.all(named)
    guard let stored = try await database.first(WorkoutByID(workoutID: id, viewerID: viewer)) else {
      throw WorkoutRefusal.noSuchWorkout
    }
    return Workout(stored, try await database.rows(EntriesOfWorkouts(workoutIDs: [id])))
  }
}
