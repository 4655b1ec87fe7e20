import AccountDeletions
import CatalogDomain
import Events
import Identifiers
import Postgres

/// A workout that `viewer` may see: a curated one or their own.
package struct WorkoutByID: Statement {
  package static let sql = """
    select \(StoredWorkout.columns) from workouts as workout
    where workout.id = $1 and workout.deleted_at is null and (workout.owner_id is null or workout.owner_id = $2)
    """
  let id: WorkoutID
  let viewer: UserID

  package init(_ id: WorkoutID, seenBy viewer: UserID) {
    self.id = id
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(viewer)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout { try .decode(row) }
}

/// The columns of a workout, without its entries.
package struct WorkoutRow: Sendable {
  let plan: WorkoutPlan
  let search: WorkoutSearchText

  /// - Parameter exercises: those of the plan's entries.
  package init(_ plan: WorkoutPlan, exercises: [(name: String, groups: [MuscleGroup])]) {
    self.plan = plan
    search = WorkoutSearchText(plan, exercises: exercises)
  }

  static let columns = "name, description, muscle_groups, trained, words, names"

  func bind(_ p: inout Parameters) {
    p.append(plan.name.text)
    p.append(plan.description?.text ?? "")
    p.append(plan.muscleGroups.map(\.rawValue))
    p.append(search.trained.map(\.rawValue))
    p.append(search.vector)
    p.append(search.names)
  }
}

/// Adds a workout of a user, with the change number from ``NextChange``.
package struct InsertWorkout: Statement {
  package static let sql = """
    insert into workouts as workout (id, owner_id, \(WorkoutRow.columns), change, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7::tsvector, $8, $9, $10, $10)
    returning \(StoredWorkout.columns)
    """
  let id: WorkoutID
  let owner: UserID
  let row: WorkoutRow
  let change: Int64
  let now: Instant

  package init(_ id: WorkoutID, of owner: UserID, _ row: WorkoutRow, change: Int64, now: Instant) {
    self.id = id
    self.owner = owner
    self.row = row
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
    row.bind(&p)
    p.append(change)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout { try .decode(row) }
}

/// Replaces a workout whose owner's row the transaction has locked, and gives it its next revision.
package struct ReplaceWorkout: Statement {
  package static let sql = """
    update workouts as workout
    set (\(WorkoutRow.columns)) = ($2, $3, $4, $5, $6::tsvector, $7),
      change = $8, updated_at = $9, revision = workout.revision + 1
    where workout.id = $1
    returning \(StoredWorkout.columns)
    """
  let id: WorkoutID
  let row: WorkoutRow
  let change: Int64
  let now: Instant

  package init(_ id: WorkoutID, _ row: WorkoutRow, change: Int64, now: Instant) {
    self.id = id
    self.row = row
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    row.bind(&p)
    p.append(change)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout { try .decode(row) }
}

/// Removes all entries of a workout.
package struct ClearEntries: Statement {
  package typealias Row = Void
  package static let sql = "delete from workout_entries where workout_id = $1"
  let workout: WorkoutID

  package init(of workout: WorkoutID) { self.workout = workout }

  package func bind(_ p: inout Parameters) { p.append(workout) }
}

/// Adds entries to a workout without entries, in their order.
package struct InsertEntries: Statement {
  package typealias Row = Void
  // An array of the client has no nulls: -1 represents no weight.
  package static let sql = """
    insert into workout_entries (
      id, workout_id, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note
    )
    select entry.id, $1, entry.place, entry.exercise_id, entry.sets, entry.reps, entry.duration_s,
      nullif(entry.weight_g, -1), entry.rest_s, entry.note
    from unnest($2::uuid[], $3::uuid[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::text[])
      with ordinality as entry (id, exercise_id, sets, reps, duration_s, weight_g, rest_s, note, place)
    """
  let workout: WorkoutID
  let entries: [PlannedEntry]

  package init(_ entries: [PlannedEntry], of workout: WorkoutID) {
    self.entries = entries
    self.workout = workout
  }

  package func bind(_ p: inout Parameters) {
    p.append(workout)
    p.append(entries.map(\.id))
    p.append(entries.map(\.exercise))
    p.append(entries.map(\.target.sets))
    p.append(entries.map(\.target.reps))
    p.append(entries.map(\.target.duration))
    p.append(entries.map { $0.target.weight?.grams ?? -1 })
    p.append(entries.map(\.target.rest))
    p.append(entries.map { $0.target.note?.text ?? "" })
  }
}

/// Deletes a workout whose owner's row the transaction has locked, with its entries and links: it disappears from all lists except those of
/// changes ([C-11]).
package struct MarkWorkoutDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    with workout as (
      update workouts
      set deleted_at = $3, updated_at = $3, change = $2, revision = revision + 1, description = '', words = '', names = ''
      where id = $1 and deleted_at is null
      returning id, owner_id
    ), entries as (
      delete from workout_entries using workout where workout_entries.workout_id = workout.id
    ), shares as (
      delete from workout_shares using workout where workout_shares.workout_id = workout.id
    )
    update people set workouts = people.workouts - 1 from workout where people.id = workout.owner_id
    """
  let id: WorkoutID
  let change: Int64
  let now: Instant

  package init(_ id: WorkoutID, change: Int64, now: Instant) {
    self.id = id
    self.change = change
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(change)
    p.append(now)
  }
}

/// Removes a user's workouts, with their links ([C-9]).
package struct DeleteWorkoutsOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = """
    with gone as (delete from workouts where owner_id = $1)
    update people set workouts = 0 where id = $1
    """
  package static let users = "select owner_id from workouts"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
