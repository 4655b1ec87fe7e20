import CatalogDomain
import Identifiers
import Postgres

/// The totals of a user's sets of an exercise ([CA-14]), under all ids that were merged into it.
package struct ExerciseTotals: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let occasions: Int64
    package let sets: Int64
    package let reps: Int64
    /// In grams.
    package let volume: Int64
  }

  package static let sql = """
    select count(distinct log_id), count(*), coalesce(sum(reps), 0)::bigint,
      coalesce(sum(reps::bigint * weight_g), 0)::bigint
    from logged_sets
    where owner_id = $1 and exercise_id in (select id from exercises where id = $2 or merged_into = $2)
    """
  let owner: UserID
  let exercise: ExerciseID

  package init(of owner: UserID, _ exercise: ExerciseID) {
    self.owner = owner
    self.exercise = exercise
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(exercise)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(occasions: try row.next(), sets: try row.next(), reps: try row.next(), volume: try row.next())
  }
}

/// The heaviest set for each number of repetitions; the best set is one of them. A few dozen at most.
package struct HeaviestSets: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select distinct on (reps) reps, weight_g, duration_s
    from logged_sets
    where owner_id = $1 and exercise_id in (select id from exercises where id = $2 or merged_into = $2)
    order by reps, weight_g desc, duration_s desc
    """
  let owner: UserID
  let exercise: ExerciseID

  package init(of owner: UserID, _ exercise: ExerciseID) {
    self.owner = owner
    self.exercise = exercise
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(exercise)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> PerformedSet {
    try SetsOfLogs.performed(row)
  }
}

/// A page of a user's logs with an exercise, the latest first, each with its sets.
package struct OccasionsBefore: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let log: WorkoutLogID
    package let startedAt: Instant
    package let sets: [PerformedSet]
  }

  package static let sql = """
    select log.id, log.started_at, array_agg(done.reps::integer order by done.place),
      array_agg(done.weight_g order by done.place), array_agg(done.duration_s order by done.place)
    from logged_sets as done
    join workout_logs as log on log.id = done.log_id
    where done.owner_id = $1 and done.exercise_id in (select id from exercises where id = $2 or merged_into = $2)
      and ($3::timestamptz is null or (log.started_at, log.id) < ($3, $4))
    group by log.id
    order by log.started_at desc, log.id desc
    limit $5
    """
  let owner: UserID
  let exercise: ExerciseID
  let before: (Instant, WorkoutLogID)?
  let limit: Int64

  package init(of owner: UserID, _ exercise: ExerciseID, before: (Instant, WorkoutLogID)?, limit: Int64) {
    self.owner = owner
    self.exercise = exercise
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(exercise)
    p.append(before?.0)
    p.append(before?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let (log, startedAt): (WorkoutLogID, Instant) = (try row.next(), try row.next())
    let (reps, weights, durations): ([Int32], [Int32], [Int32]) = (try row.next(), try row.next(), try row.next())
    let sets = reps.indices.map {
      PerformedSet(reps: reps[$0], weight: Weight(stored: weights[$0]), duration: durations[$0])
    }
    return Row(log: log, startedAt: startedAt, sets: sets)
  }
}
