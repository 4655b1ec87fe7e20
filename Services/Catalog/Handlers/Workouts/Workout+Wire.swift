import CatalogDomain
import CatalogOperations
import CatalogStore
import Identifiers
import TandemCatalog
import Timestamps

extension Workout {
  init(_ stored: StoredWorkout, _ entries: [EntriesOfWorkouts.Row]) {
    self.init(
      workoutID: stored.id.description, curated: stored.ownerID == nil, name: stored.name,
      description: stored.description, muscleGroups: stored.muscleGroups.map(\.rawValue), level: stored.level,
      entries: entries.map { WorkoutEntry($0.planned, named: $0.exerciseName) }, etag: stored.etag,
      createTime: stored.createdAt.timestamp, updateTime: stored.updatedAt.timestamp)
  }
}

extension Workout {
  init(_ whole: WorkoutOperations.Whole) { self.init(whole.stored, whole.entries) }
}

extension WorkoutEntry {
  init(_ planned: PlannedEntry, named name: String) {
    let target = planned.target
    self.init(
      entryID: planned.id.description, exerciseID: planned.exercise.description, exerciseName: name, sets: target.sets,
      reps: target.reps, durationS: target.duration, weightKg: target.weight?.kilograms, restS: target.rest,
      note: target.note?.text ?? "")
  }
}

extension StoredWorkout {
  /// Changes with every change ([C-11]).
  var etag: String { "\(revision)" }
}

extension PerformedSet {
  var wire: LoggedSet { LoggedSet(reps: reps, weightKg: weight.kilograms, durationS: duration) }
}
