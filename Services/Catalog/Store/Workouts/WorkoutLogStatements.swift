import AccountDeletions
import CatalogDomain
import Events
import Identifiers
import Postgres

/// A stored log, without its sets.
package struct StoredWorkoutLog: Sendable {
  package let id: WorkoutLogID
  package let workoutID: WorkoutID?
  package let name: String
  package let note: String
  package let startedAt: Instant
  package let endedAt: Instant?
  package let createdAt: Instant

  static let columns = """
    log.id, log.workout_id, log.name, log.note, log.started_at, log.ended_at, log.created_at
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkoutLog {
    StoredWorkoutLog(
      id: try row.next(), workoutID: try row.next(), name: try row.next(), note: try row.next(),
      startedAt: try row.next(), endedAt: try row.next(), createdAt: try row.next())
  }
}

/// A stored set of a log.
package struct StoredLoggedSet: Sendable {
  package let logID: WorkoutLogID
  package let exercise: ExerciseID
  package let exerciseName: String
  package let performed: PerformedSet
}

/// Locks the row of a user who logs a workout and counts the log; no row for a user who has deleted the account.
package struct CountWorkoutLog: Statement {
  package typealias Row = UserID
  /// The constraint that limits the logs of a user.
  package static let limitConstraint = "people_workout_logs_limit"

  package static let sql = """
    insert into people (id, workout_logs) values ($1, 1)
    on conflict on constraint people_pkey do update set workout_logs = people.workout_logs + 1
    where not people.departed
    returning id
    """
  let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// A log to store.
package struct NewWorkoutLog: Sendable {
  package let workout: WorkoutID?
  package let name: String
  package let note: String
  package let startedAt: Instant
  package let endedAt: Instant?

  package init(of workout: WorkoutID?, name: String, note: String, startedAt: Instant, endedAt: Instant?) {
    self.workout = workout
    self.name = name
    self.note = note
    self.startedAt = startedAt
    self.endedAt = endedAt
  }
}

/// Stores a log of a user whom ``CountWorkoutLog`` has locked.
package struct InsertWorkoutLog: Statement {
  package static let sql = """
    insert into workout_logs as log (id, owner_id, workout_id, name, note, started_at, ended_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    returning \(StoredWorkoutLog.columns)
    """
  let id: WorkoutLogID
  let owner: UserID
  let log: NewWorkoutLog
  let now: Instant

  package init(_ id: WorkoutLogID, of owner: UserID, _ log: NewWorkoutLog, now: Instant) {
    self.id = id
    self.owner = owner
    self.log = log
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
    p.append(log.workout)
    p.append(log.name)
    p.append(log.note)
    p.append(log.startedAt)
    p.append(log.endedAt)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkoutLog { try .decode(row) }
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
  let log: WorkoutLogID
  let owner: UserID
  let sets: [(exercise: ExerciseID, performed: PerformedSet)]

  package init(
    _ sets: [(exercise: ExerciseID, performed: PerformedSet)], in log: WorkoutLogID, of owner: UserID
  ) {
    self.sets = sets
    self.log = log
    self.owner = owner
  }

  package func bind(_ p: inout Parameters) {
    p.append(log)
    p.append(owner)
    p.append(sets.map(\.exercise))
    p.append(sets.map(\.performed.reps))
    p.append(sets.map(\.performed.weight.grams))
    p.append(sets.map(\.performed.duration))
  }
}

/// A page of a user's logs, the latest first ([CA-14]).
package struct WorkoutLogsBefore: Statement {
  package static let sql = """
    select \(StoredWorkoutLog.columns)
    from workout_logs as log
    where log.owner_id = $1 and ($2::uuid is null or log.workout_id = $2)
      and ($3::timestamptz is null or (log.started_at, log.id) < ($3, $4))
    order by log.started_at desc, log.id desc
    limit $5
    """
  let owner: UserID
  let workout: WorkoutID?
  let before: (Instant, WorkoutLogID)?
  let limit: Int64

  package init(of owner: UserID, _ workout: WorkoutID?, before: (Instant, WorkoutLogID)?, limit: Int64) {
    self.owner = owner
    self.workout = workout
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(workout)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkoutLog { try .decode(row) }
}

/// The sets of some logs, by log and position.
package struct SetsOfLogs: Statement {
  package static let sql = """
    select done.log_id, exercise.id, exercise.name, done.reps, done.weight_g, done.duration_s
    from logged_sets as done
    join exercises as named on named.id = done.exercise_id
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where done.log_id = any($1)
    order by done.log_id, done.place
    """
  let logs: [WorkoutLogID]

  package init(_ logs: [WorkoutLogID]) { self.logs = logs }

  package func bind(_ p: inout Parameters) { p.append(logs) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoggedSet {
    StoredLoggedSet(
      logID: try row.next(), exercise: try row.next(), exerciseName: try row.next(), performed: try performed(row))
  }

  static func performed(_ row: borrowing RowReader) throws(ColumnError) -> PerformedSet {
    let reps: Int16 = try row.next()
    let weight: Int32 = try row.next()
    return PerformedSet(reps: Int32(reps), weight: Weight(stored: weight), duration: try row.next())
  }
}

/// Removes one of a user's logs; no row if it does not exist.
package struct DeleteLog: Statement {
  package typealias Row = UserID
  package static let sql = """
    with gone as (delete from workout_logs where id = $1 and owner_id = $2 returning owner_id)
    update people set workout_logs = people.workout_logs - 1 from gone where people.id = gone.owner_id
    returning people.id
    """
  let id: WorkoutLogID
  let owner: UserID

  package init(_ id: WorkoutLogID, of owner: UserID) {
    self.id = id
    self.owner = owner
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
  }
}

/// Removes a user's logs ([C-9]).
package struct DeleteWorkoutLogsOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = """
    with gone as (delete from workout_logs where owner_id = $1)
    update people set workout_logs = 0 where id = $1
    """
  package static let users = "select owner_id from workout_logs"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
