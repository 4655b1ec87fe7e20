import CatalogDomain
import Identifiers
import Postgres

extension CountWorkoutLog {
  /// The constraint that limits the logs of a user.
  package static let limitConstraint = "users_workout_logs_limit"
}

extension PerformedSet {
  init(_ columns: SetColumns) {
    self.init(reps: columns.reps, weight: columns.weight, duration: columns.duration)
  }
}

extension InsertLoggedSets {
  package init(logID: WorkoutLogID, ownerID: UserID, _ sets: [(exercise: ExerciseID, performed: PerformedSet)]) {
    self.init(
      logID: logID, ownerID: ownerID, exerciseIDs: sets.map(\.exercise), reps: sets.map(\.performed.reps),
      weights: sets.map(\.performed.weight), durations: sets.map(\.performed.duration))
  }
}

extension OccasionsBefore.Row {
  package var sets: [PerformedSet] {
    reps.indices.map { PerformedSet(reps: reps[$0], weight: weights[$0], duration: durations[$0]) }
  }
}
