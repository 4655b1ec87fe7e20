import CatalogDomain
import Identifiers
import Postgres

/// A stored workout, without its entries.
package struct StoredWorkout: Sendable {
  package let id: WorkoutID
  /// `nil` for a curated workout.
  package let ownerID: UserID?
  package let name: String
  /// May be empty.
  package let description: String
  package let muscleGroups: [MuscleGroup]
  /// Empty for a user's own workout.
  package let level: String
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant

  init(_ columns: WorkoutColumns) {
    (id, ownerID, name, description) = (columns.id, columns.ownerID, columns.name, columns.description)
    muscleGroups = columns.muscleGroups.compactMap { MuscleGroup(rawValue: $0) }
    (level, revision) = (columns.level, columns.revision)
    (createdAt, updatedAt) = (columns.createdAt, columns.updatedAt)
  }

  /// The plan with these entries.
  package func plan(_ entries: [EntriesOfWorkouts.Row]) -> WorkoutPlan {
    WorkoutPlan(
      name: WorkoutName(stored: name), description: description.isEmpty ? nil : WorkoutDescription(stored: description),
      muscleGroups: muscleGroups, stored: entries.map(\.planned))
  }
}

extension PlannedEntry {
  init(_ columns: EntryColumns) {
    let target = EntryTarget(
      sets: columns.sets, reps: columns.reps, duration: columns.duration, weight: columns.weight, rest: columns.rest,
      note: columns.note.isEmpty ? nil : EntryNote(stored: columns.note))
    self.init(columns.id, columns.exerciseID.uuid, target)
  }
}

extension ExercisesNamed.Row {
  package var groups: [MuscleGroup] { muscleGroups.compactMap { MuscleGroup(rawValue: $0) } }
}

extension InsertWorkout {
  package init(
    workoutID: WorkoutID, ownerID: UserID, _ plan: WorkoutPlan, _ search: WorkoutSearchText, change: Int64, now: Instant
  ) {
    self.init(
      workoutID: workoutID, ownerID: ownerID, name: plan.name.text, description: plan.description?.text ?? "",
      groups: plan.muscleGroups, trained: search.trained, words: search.vector, names: search.names, change: change,
      now: now)
  }
}

extension ReplaceWorkout {
  package init(
    workoutID: WorkoutID, _ plan: WorkoutPlan, _ search: WorkoutSearchText, change: Int64, now: Instant
  ) {
    self.init(
      name: plan.name.text, description: plan.description?.text ?? "", groups: plan.muscleGroups,
      trained: search.trained, words: search.vector, names: search.names, change: change, now: now,
      workoutID: workoutID)
  }
}

extension InsertEntries {
  package init(workoutID: WorkoutID, _ entries: [PlannedEntry]) {
    self.init(
      workoutID: workoutID, entryIDs: entries.map(\.id), exerciseIDs: entries.map { ExerciseID($0.exercise) },
      sets: entries.map(\.target.sets), reps: entries.map(\.target.reps), durations: entries.map(\.target.duration),
      grams: entries.map { $0.target.weight?.grams ?? -1 }, rests: entries.map(\.target.rest),
      notes: entries.map { $0.target.note?.text ?? "" })
  }
}
