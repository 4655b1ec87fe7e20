// Made from workouts.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// The columns of a row `workout`.
package struct WorkoutColumns: Sendable {
  package let id: WorkoutID
  package let ownerID: UserID?
  package let name: String
  package let description: String
  package let muscleGroups: [String]
  package let level: String
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> WorkoutColumns {
    WorkoutColumns(
      id: try row.next(), ownerID: try row.next(), name: try row.next(), description: try row.next(),
      muscleGroups: try row.next(), level: try row.next(), revision: try row.next(), createdAt: try row.next(),
      updatedAt: try row.next())
  }
}

/// The columns of a row `entry` and its `exercise`.
package struct EntryColumns: Sendable {
  package let id: UUID7
  package let exerciseID: ExerciseID
  package let sets: Int32
  package let reps: Int32
  /// In seconds.
  package let duration: Int32
  package let weight: Weight?
  /// In seconds.
  package let rest: Int32
  /// May be empty.
  package let note: String

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EntryColumns {
    EntryColumns(
      id: try row.next(), exerciseID: try row.next(), sets: try row.next(), reps: try row.next(),
      duration: try row.next(), weight: try row.next(), rest: try row.next(), note: try row.next())
  }
}

/// A workout that `viewer_id` may see: a curated one or their own.
package struct WorkoutByID: SingleRowStatement {
  package typealias Row = StoredWorkout
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at from workouts as workout
    where workout.id = $1 and workout.deleted_at is null
      and (workout.owner_id is null or workout.owner_id = $2)
    """
  package let workoutID: WorkoutID
  package let viewerID: UserID

  package init(workoutID: WorkoutID, viewerID: UserID) {
    self.workoutID = workoutID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkout(WorkoutColumns.decode(row))
  }
}

/// The entries of some workouts, by workout and position. An exercise that was merged into another is replaced by it.
package struct EntriesOfWorkouts: Statement {
  package struct Row: Sendable {
    package let workoutID: WorkoutID
    package let planned: PlannedEntry
    package let exerciseName: String
  }

  package static let sql = """
    select entry.workout_id, entry.id, exercise.id as exercise_id, entry.sets, entry.reps, entry.duration_s as duration, entry.weight_g as weight,
    entry.rest_s as rest, entry.note, exercise.name as exercise_name
    from workout_entries as entry
    join exercises as named on named.id = entry.exercise_id
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where entry.workout_id = any($1)
    order by entry.workout_id, entry.place
    """
  package let workoutIDs: [WorkoutID]

  package init(workoutIDs: [WorkoutID]) {
    self.workoutIDs = workoutIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workoutID: try row.next(), planned: try PlannedEntry(EntryColumns.decode(row)), exerciseName: try row.next())
  }
}

/// A page of the curated workouts, by name ([CA-11]).
package struct CuratedWorkouts: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    /// The sort key of the list.
    package let names: String
  }

  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at, workout.names
    from workouts as workout
    where workout.owner_id is null and workout.deleted_at is null and ($1::text is null or workout.level = $1)
      and ($2::text is null or (workout.names collate "C", workout.id) > ($2, $3))
    order by workout.names collate "C", workout.id
    limit $4
    """
  package let level: ExerciseLevel?
  package let afterNames: String?
  package let afterID: WorkoutID?
  package let limit: Int64

  package init(level: ExerciseLevel?, afterNames: String?, afterID: WorkoutID?, limit: Int64) {
    self.level = level
    self.afterNames = afterNames
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(level)
    p.append(afterNames)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try StoredWorkout(WorkoutColumns.decode(row)), names: try row.next())
  }
}

/// A page of a user's workouts, the newest first ([CA-12]).
package struct WorkoutsOfOwner: Statement {
  package typealias Row = StoredWorkout
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at
    from workouts as workout
    where workout.owner_id = $1 and workout.deleted_at is null and ($2::uuid is null or workout.id < $2)
    order by workout.id desc
    limit $3
    """
  package let ownerID: UserID
  /// The last workout of the previous page.
  package let before: WorkoutID?
  package let limit: Int64

  package init(ownerID: UserID, before: WorkoutID?, limit: Int64) {
    self.ownerID = ownerID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkout(WorkoutColumns.decode(row))
  }
}

/// A user's workouts that changed after a change number, in the order of their last changes ([C-11]).
package struct ChangedWorkouts: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    package let change: Int64
    /// `nil` unless it was deleted.
    package let deletedAt: Instant?
  }

  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at, workout.change as change, workout.deleted_at
    from workouts as workout
    where workout.owner_id = $1 and workout.change > $2
    order by workout.change
    limit $3
    """
  package let ownerID: UserID
  package let after: Int64
  package let limit: Int64

  package init(ownerID: UserID, after: Int64, limit: Int64) {
    self.ownerID = ownerID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try StoredWorkout(WorkoutColumns.decode(row)), change: try row.next(), deletedAt: try row.next())
  }
}

/// Adds a workout of a user, with the change number from ``NextWorkoutChange``.
package struct InsertWorkout: SingleRowStatement {
  package typealias Row = StoredWorkout
  package static let sql = """
    insert into workouts as workout (
      id, owner_id, name, description, muscle_groups, trained, words, names, change, created_at, updated_at
    )
    values (
      $1, $2, $3, $4, $5, $6, $7::tsvector, $8, $9, $10, $10
    )
    returning workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at
    """
  package let workoutID: WorkoutID
  package let ownerID: UserID
  package let name: String
  package let description: String
  package let groups: [MuscleGroup]
  package let trained: [MuscleGroup]
  package let words: String
  package let names: String
  package let change: Int64
  package let now: Instant

  package init(
    workoutID: WorkoutID, ownerID: UserID, name: String, description: String, groups: [MuscleGroup],
    trained: [MuscleGroup], words: String, names: String, change: Int64, now: Instant) {
    self.workoutID = workoutID
    self.ownerID = ownerID
    self.name = name
    self.description = description
    self.groups = groups
    self.trained = trained
    self.words = words
    self.names = names
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutID)
    p.append(ownerID)
    p.append(name)
    p.append(description)
    p.append(groups)
    p.append(trained)
    p.append(words)
    p.append(names)
    p.append(change)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkout(WorkoutColumns.decode(row))
  }
}

/// Replaces a workout whose owner's row the transaction has locked, and gives it its next revision.
package struct ReplaceWorkout: SingleRowStatement {
  package typealias Row = StoredWorkout
  package static let sql = """
    update workouts as workout
    set (name, description, muscle_groups, trained, words, names)
        = ($1, $2, $3, $4, $5::tsvector, $6),
      change = $7, updated_at = $8, revision = workout.revision + 1
    where workout.id = $9
    returning workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at
    """
  package let name: String
  package let description: String
  package let groups: [MuscleGroup]
  package let trained: [MuscleGroup]
  package let words: String
  package let names: String
  package let change: Int64
  package let now: Instant
  package let workoutID: WorkoutID

  package init(
    name: String, description: String, groups: [MuscleGroup], trained: [MuscleGroup], words: String, names: String,
    change: Int64, now: Instant, workoutID: WorkoutID) {
    self.name = name
    self.description = description
    self.groups = groups
    self.trained = trained
    self.words = words
    self.names = names
    self.change = change
    self.now = now
    self.workoutID = workoutID
  }

  package func bind(_ p: inout Parameters) {
    p.append(name)
    p.append(description)
    p.append(groups)
    p.append(trained)
    p.append(words)
    p.append(names)
    p.append(change)
    p.append(now)
    p.append(workoutID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkout(WorkoutColumns.decode(row))
  }
}

/// Removes all entries of a workout.
package struct ClearEntries: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from workout_entries where workout_id = $1
    """
  package let workoutID: WorkoutID

  package init(workoutID: WorkoutID) {
    self.workoutID = workoutID
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutID)
  }
}

/// Adds entries to a workout without entries, in their order.
package struct InsertEntries: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into workout_entries (
      id, workout_id, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note
    )
    select entry.id, $1, entry.place, entry.exercise_id, entry.sets, entry.reps, entry.duration_s,
      nullif(entry.weight_g, -1), entry.rest_s, entry.note
    from unnest(
      $2::uuid[], $3::uuid[], $4::integer[], $5::integer[], $6::integer[],
      $7::integer[], $8::integer[], $9::text[]
    ) with ordinality as entry (id, exercise_id, sets, reps, duration_s, weight_g, rest_s, note, place)
    """
  package let workoutID: WorkoutID
  package let entryIDs: [UUID7]
  package let exerciseIDs: [ExerciseID]
  package let sets: [Int32]
  package let reps: [Int32]
  package let durations: [Int32]
  /// -1 represents no weight.
  package let grams: [Int32]
  package let rests: [Int32]
  package let notes: [String]

  package init(
    workoutID: WorkoutID, entryIDs: [UUID7], exerciseIDs: [ExerciseID], sets: [Int32], reps: [Int32],
    durations: [Int32], grams: [Int32], rests: [Int32], notes: [String]) {
    self.workoutID = workoutID
    self.entryIDs = entryIDs
    self.exerciseIDs = exerciseIDs
    self.sets = sets
    self.reps = reps
    self.durations = durations
    self.grams = grams
    self.rests = rests
    self.notes = notes
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutID)
    p.append(entryIDs)
    p.append(exerciseIDs)
    p.append(sets)
    p.append(reps)
    p.append(durations)
    p.append(grams)
    p.append(rests)
    p.append(notes)
  }
}

/// Deletes a workout whose owner's row the transaction has locked, with its entries and links: it disappears from all lists except those of
/// changes ([C-11]).
package struct MarkWorkoutDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    with workout as (
      update workouts
      set deleted_at = $1, updated_at = $1, change = $2, revision = revision + 1, description = '', words = '',
        names = ''
      where id = $3 and deleted_at is null
      returning id, owner_id
    ), entries as (
      delete from workout_entries using workout where workout_entries.workout_id = workout.id
    ), shares as (
      delete from workout_shares using workout where workout_shares.workout_id = workout.id
    )
    update users set workouts = users.workouts - 1 from workout where users.id = workout.owner_id
    """
  package let now: Instant
  package let change: Int64
  package let workoutID: WorkoutID

  package init(now: Instant, change: Int64, workoutID: WorkoutID) {
    self.now = now
    self.change = change
    self.workoutID = workoutID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(change)
    p.append(workoutID)
  }
}

/// Whether curated workouts are loaded.
package struct HasCuratedWorkouts: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (select 1 from workouts where owner_id is null and deleted_at is null) as has_curated
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
