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

  /// The columns of a row `workout` that ``decode(_:)`` reads.
  static let columns = """
    workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level,
    workout.revision, workout.created_at, workout.updated_at
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout {
    StoredWorkout(
      id: try row.next(), ownerID: try row.next(), name: try row.next(), description: try row.next(),
      muscleGroups: try groups(row), level: try row.next(), revision: try row.next(), createdAt: try row.next(),
      updatedAt: try row.next())
  }

  /// The plan with these entries.
  package func plan(_ entries: [StoredEntry]) -> WorkoutPlan {
    WorkoutPlan(
      name: WorkoutName(stored: name), description: description.isEmpty ? nil : WorkoutDescription(stored: description),
      muscleGroups: muscleGroups, stored: entries.map(\.planned))
  }

  static func groups(_ row: borrowing RowReader) throws(ColumnError) -> [MuscleGroup] {
    let names: [String] = try row.next()
    return names.compactMap { MuscleGroup(rawValue: $0) }
  }
}

/// A stored entry of a workout.
package struct StoredEntry: Sendable {
  package let workoutID: WorkoutID
  package let planned: PlannedEntry
  package let exerciseName: String

  static let columns = """
    entry.workout_id, entry.id, exercise.id, entry.sets, entry.reps, entry.duration_s, entry.weight_g, entry.rest_s,
    entry.note, exercise.name
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredEntry {
    let workoutID: WorkoutID = try row.next()
    let (id, exercise): (UUID7, UUID7) = (try row.next(), try row.next())
    let (sets, reps): (Int16, Int16) = (try row.next(), try row.next())
    let duration: Int32 = try row.next()
    let weight: Int32? = try row.next()
    let rest: Int16 = try row.next()
    let note: String = try row.next()
    let target = EntryTarget(
      sets: Int32(sets), reps: Int32(reps), duration: duration, weight: weight.map { Weight(stored: $0) },
      rest: Int32(rest), note: note.isEmpty ? nil : EntryNote(stored: note))
    return StoredEntry(
      workoutID: workoutID, planned: PlannedEntry(id, exercise, target), exerciseName: try row.next())
  }
}

/// The entries of some workouts, by workout and position. An exercise that was merged into another is replaced by it.
package struct EntriesOfWorkouts: Statement {
  package static let sql = """
    select \(StoredEntry.columns)
    from workout_entries as entry
    join exercises as named on named.id = entry.exercise_id
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where entry.workout_id = any($1)
    order by entry.workout_id, entry.place
    """
  let workouts: [WorkoutID]

  package init(_ workouts: [WorkoutID]) { self.workouts = workouts }

  package func bind(_ p: inout Parameters) { p.append(workouts) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredEntry { try .decode(row) }
}

/// An exercise that a request names.
package struct NamedExercise: Sendable {
  /// The id in the request.
  package let asked: ExerciseID
  /// That id, or the one of the exercise that it was merged into.
  package let id: ExerciseID
  package let name: String
  package let groups: [MuscleGroup]
}

/// The exercises of some ids; unknown ids are left out.
package struct ExercisesNamed: Statement {
  package static let sql = """
    select named.id, exercise.id, exercise.name, exercise.muscle_groups
    from exercises as named
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where named.id = any($1)
    """
  let ids: [ExerciseID]

  package init(_ ids: [ExerciseID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> NamedExercise {
    NamedExercise(
      asked: try row.next(), id: try row.next(), name: try row.next(), groups: try StoredWorkout.groups(row))
  }
}

/// Suggested exercises for some muscle groups: in turn for each group, first those that more collections have and that require less
/// experience.
package struct SuggestedExercises: Statement {
  package typealias Row = ExerciseID
  package static let sql = """
    select exercise.id
    from unnest($1::text[]) with ordinality as wanted (muscle_group, place)
    cross join lateral (
      select exercises.id, row_number() over (
        order by cardinality(exercises.sources) desc,
          array_position(array['BEGINNER', 'INTERMEDIATE', 'EXPERT'], exercises.level), exercises.names collate "C",
          exercises.id
      ) as rank
      from exercises
      where exercises.merged_into is null and exercises.targets && array[wanted.muscle_group]
        and exercises.category in ('STRENGTH', 'POWERLIFTING')
      order by rank
      limit $2
    ) as exercise
    order by exercise.rank, wanted.place
    limit $2
    """
  let groups: [MuscleGroup]
  let count: Int64

  package init(_ groups: [MuscleGroup], count: Int64) {
    self.groups = groups
    self.count = count
  }

  package func bind(_ p: inout Parameters) {
    p.append(groups.map(\.rawValue))
    p.append(count)
  }
}
