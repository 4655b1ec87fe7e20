// Made from workout_logs.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A stored log, without its sets.
package struct StoredWorkoutLog: Sendable, RowDecodable {
  package let id: WorkoutLogID
  package let workoutID: WorkoutID?
  package let name: String
  package let note: String
  package let startedAt: Instant
  package let endedAt: Instant?
  package let createdAt: Instant

  package init(
    id: WorkoutLogID, workoutID: WorkoutID?, name: String, note: String, startedAt: Instant, endedAt: Instant?,
    createdAt: Instant) {
    self.id = id
    self.workoutID = workoutID
    self.name = name
    self.note = note
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkoutLog {
    StoredWorkoutLog(
      id: try row.next(), workoutID: try row.next(), name: try row.next(), note: try row.next(),
      startedAt: try row.next(), endedAt: try row.next(), createdAt: try row.next())
  }
}

/// The columns of a row `done`.
package struct SetColumns: Sendable {
  package let reps: Int32
  package let weight: Weight
  /// In seconds.
  package let duration: Int32

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> SetColumns {
    SetColumns(reps: try row.next(), weight: try row.next(), duration: try row.next())
  }
}

/// Locks the row of a user who logs a workout, counts the log and returns the number of the change; no row for a user who has deleted the
/// account.
package struct CountWorkoutLog: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    insert into users (id, workout_logs, log_changes) values ($1, 1, 1)
    on conflict on constraint users_pkey do update
    set workout_logs = users.workout_logs + 1, log_changes = users.log_changes + 1
    where not users.deleted
    returning log_changes
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores a log of a user whom ``CountWorkoutLog`` has locked.
package struct InsertWorkoutLog: SingleRowStatement {
  package typealias Row = StoredWorkoutLog
  package static let sql = """
    insert into workout_logs as log (id, owner_id, workout_id, name, note, started_at, ended_at, created_at, change)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::bigint)
    returning log.id, log.workout_id, log.name, log.note, log.started_at, log.ended_at, log.created_at
    """
  package let logID: WorkoutLogID
  package let ownerID: UserID
  package let workoutID: WorkoutID?
  package let name: String
  package let note: String
  package let startedAt: Instant
  package let endedAt: Instant?
  package let now: Instant
  package let change: Int64

  package init(
    logID: WorkoutLogID, ownerID: UserID, workoutID: WorkoutID?, name: String, note: String, startedAt: Instant,
    endedAt: Instant?, now: Instant, change: Int64) {
    self.logID = logID
    self.ownerID = ownerID
    self.workoutID = workoutID
    self.name = name
    self.note = note
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.now = now
    self.change = change
  }

  package func bind(_ p: inout Parameters) {
    p.append(logID)
    p.append(ownerID)
    p.append(workoutID)
    p.append(name)
    p.append(note)
    p.append(startedAt)
    p.append(endedAt)
    p.append(now)
    p.append(change)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkoutLog.decode(row)
  }
}

/// Stores the sets of a log, in their order.
package struct InsertLoggedSets: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into logged_sets (log_id, place, owner_id, exercise_id, reps, weight_g, duration_s)
    select $1, done.place, $2, done.exercise_id, done.reps, done.weight_g, done.duration_s
    from unnest($3::uuid[], $4::integer[], $5::integer[], $6::integer[])
      with ordinality as done (exercise_id, reps, weight_g, duration_s, place)
    """
  package let logID: WorkoutLogID
  package let ownerID: UserID
  package let exerciseIDs: [ExerciseID]
  package let reps: [Int32]
  package let weights: [Weight]
  package let durations: [Int32]

  package init(
    logID: WorkoutLogID, ownerID: UserID, exerciseIDs: [ExerciseID], reps: [Int32], weights: [Weight],
    durations: [Int32]) {
    self.logID = logID
    self.ownerID = ownerID
    self.exerciseIDs = exerciseIDs
    self.reps = reps
    self.weights = weights
    self.durations = durations
  }

  package func bind(_ p: inout Parameters) {
    p.append(logID)
    p.append(ownerID)
    p.append(exerciseIDs)
    p.append(reps)
    p.append(weights)
    p.append(durations)
  }
}

/// A page of a user's logs, the latest first ([CA-14]).
package struct WorkoutLogsBefore: Statement {
  package typealias Row = StoredWorkoutLog
  package static let sql = """
    select log.id, log.workout_id, log.name, log.note, log.started_at, log.ended_at, log.created_at
    from workout_logs as log
    where log.owner_id = $1 and ($2::uuid is null or log.workout_id = $2)
      and ($3::timestamptz is null or (log.started_at, log.id) < ($3, $4))
    order by log.started_at desc, log.id desc
    limit $5
    """
  package let ownerID: UserID
  /// The workout that was performed; any if `nil`.
  package let workoutID: WorkoutID?
  package let beforeStartedAt: Instant?
  package let beforeID: WorkoutLogID?
  package let limit: Int64

  package init(
    ownerID: UserID, workoutID: WorkoutID?, beforeStartedAt: Instant?, beforeID: WorkoutLogID?, limit: Int64) {
    self.ownerID = ownerID
    self.workoutID = workoutID
    self.beforeStartedAt = beforeStartedAt
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(workoutID)
    p.append(beforeStartedAt)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkoutLog.decode(row)
  }
}

/// The sets of some logs, by log and position.
package struct SetsOfLogs: Statement {
  package struct Row: Sendable {
    package let logID: WorkoutLogID
    package let exerciseID: ExerciseID
    package let exerciseName: String
    package let performed: PerformedSet
  }

  package static let sql = """
    select done.log_id, exercise.id as exercise_id, exercise.name as exercise_name, done.reps, done.weight_g as weight, done.duration_s as duration
    from logged_sets as done
    join exercises as named on named.id = done.exercise_id
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where done.log_id = any($1)
    order by done.log_id, done.place
    """
  package let logIDs: [WorkoutLogID]

  package init(logIDs: [WorkoutLogID]) {
    self.logIDs = logIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(logIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      logID: try row.next(), exerciseID: try row.next(), exerciseName: try row.next(),
      performed: try PerformedSet(SetColumns.decode(row)))
  }
}

/// Removes one of a user's logs; no row if it does not exist.
package struct DeleteLog: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    with gone as (
      delete from workout_logs where id = $1 and owner_id = $2 returning owner_id
    ), owner as (
      update users set workout_logs = users.workout_logs - 1, log_changes = users.log_changes + 1
      from gone where users.id = gone.owner_id
      returning users.id, users.log_changes
    )
    insert into deleted_workout_logs (owner_id, change, log_id, deleted_at)
    select owner.id, owner.log_changes, $1, $3 from owner
    returning owner_id
    """
  package let logID: WorkoutLogID
  package let ownerID: UserID
  package let now: Instant

  package init(logID: WorkoutLogID, ownerID: UserID, now: Instant) {
    self.logID = logID
    self.ownerID = ownerID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(logID)
    p.append(ownerID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The number of the last change of a user's logs; no row for a user who never stored anything.
package struct LogChangesOfUser: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select log_changes from users where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What changed in a user's logs after a change number, in the order of the changes ([C-11]).
package struct ChangedLogs: Statement {
  package struct Row: Sendable {
    package let logID: WorkoutLogID
    package let change: Int64
    /// `nil` unless it was deleted.
    package let deletedAt: Instant?
  }

  package static let sql = """
    select changed.log_id as log_id, changed.change as change, changed.deleted_at
    from (
      (
        select id as log_id, change, null::timestamptz as deleted_at from workout_logs
        where owner_id = $1 and change > $2 order by change limit $3
      )
      union all
      (
        select log_id, change, deleted_at from deleted_workout_logs
        where owner_id = $1 and change > $2 order by change limit $3
      )
    ) as changed
    order by changed.change
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
    Row(logID: try row.next(), change: try row.next(), deletedAt: try row.next())
  }
}

/// Some of a user's logs, in no particular order.
package struct LogsByIDs: Statement {
  package typealias Row = StoredWorkoutLog
  package static let sql = """
    select log.id, log.workout_id, log.name, log.note, log.started_at, log.ended_at, log.created_at from workout_logs as log where log.owner_id = $1 and log.id = any($2::uuid[])
    """
  package let ownerID: UserID
  package let logIDs: [WorkoutLogID]

  package init(ownerID: UserID, logIDs: [WorkoutLogID]) {
    self.ownerID = ownerID
    self.logIDs = logIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(logIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkoutLog.decode(row)
  }
}

/// The totals of a user's sets of an exercise ([CA-14]), under all ids that were merged into it.
package struct ExerciseTotals: SingleRowStatement {
  package struct Row: Sendable {
    package let occasions: Int64
    package let sets: Int64
    package let reps: Int64
    /// In grams.
    package let volume: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select count(distinct done.log_id) as occasions, count(*) as sets, coalesce(sum(done.reps), 0)::bigint as reps,
      coalesce(sum(done.reps::bigint * done.weight_g), 0)::bigint as volume
    from logged_sets as done
    where done.owner_id = $1
      and done.exercise_id in (select id from exercises where id = $2 or merged_into = $2)
    """
  package let ownerID: UserID
  package let exerciseID: ExerciseID

  package init(ownerID: UserID, exerciseID: ExerciseID) {
    self.ownerID = ownerID
    self.exerciseID = exerciseID
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(exerciseID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(occasions: try row.next(), sets: try row.next(), reps: try row.next(), volume: try row.next())
  }
}

/// The heaviest set for each number of repetitions; the best set is one of them. A few dozen at most.
package struct HeaviestSets: Statement {
  package typealias Row = PerformedSet
  package static let pace = Pace.slow
  package static let sql = """
    select distinct on (done.reps) done.reps, done.weight_g as weight, done.duration_s as duration
    from logged_sets as done
    where done.owner_id = $1
      and done.exercise_id in (select id from exercises where id = $2 or merged_into = $2)
    order by done.reps, done.weight_g desc, done.duration_s desc
    """
  package let ownerID: UserID
  package let exerciseID: ExerciseID

  package init(ownerID: UserID, exerciseID: ExerciseID) {
    self.ownerID = ownerID
    self.exerciseID = exerciseID
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(exerciseID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try PerformedSet(SetColumns.decode(row))
  }
}

/// A page of a user's logs with an exercise, the latest first, each with its sets.
package struct OccasionsBefore: Statement {
  package struct Row: Sendable {
    package let logID: WorkoutLogID
    package let startedAt: Instant
    /// Of each set; parallel to the next two.
    package let reps: [Int32]
    package let weights: [Weight]
    /// In seconds.
    package let durations: [Int32]
  }

  package static let pace = Pace.slow
  package static let sql = """
    select log.id as log_id, log.started_at, array_agg(done.reps::integer order by done.place) as reps,
      array_agg(done.weight_g order by done.place) as weights,
      array_agg(done.duration_s order by done.place) as durations
    from logged_sets as done
    join workout_logs as log on log.id = done.log_id
    where done.owner_id = $1
      and done.exercise_id in (select id from exercises where id = $2 or merged_into = $2)
      and ($3::timestamptz is null or (log.started_at, log.id) < ($3, $4))
    group by log.id
    order by log.started_at desc, log.id desc
    limit $5
    """
  package let ownerID: UserID
  package let exerciseID: ExerciseID
  package let beforeStartedAt: Instant?
  package let beforeID: WorkoutLogID?
  package let limit: Int64

  package init(
    ownerID: UserID, exerciseID: ExerciseID, beforeStartedAt: Instant?, beforeID: WorkoutLogID?, limit: Int64) {
    self.ownerID = ownerID
    self.exerciseID = exerciseID
    self.beforeStartedAt = beforeStartedAt
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(ownerID)
    p.append(exerciseID)
    p.append(beforeStartedAt)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      logID: try row.next(), startedAt: try row.next(), reps: try row.next(), weights: try row.next(),
      durations: try row.next())
  }
}
