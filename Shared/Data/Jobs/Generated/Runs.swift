// Made from runs.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// A job that a replica owns until its lease expires or it stores the result with the fence.
struct TakenJob: Sendable, RowDecodable {
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let due: Instant
  /// When it could be taken; returned with the job because the server returns the rows in any order.
  let ready: Instant
  /// The number of this run, from 1.
  let attempt: Int32
  /// Grows with every take: a result with an older fence is refused.
  let fence: Int64
  /// The local day of this occurrence; `nil` for a job that does not repeat.
  let day: CivilDate?
  /// When it was scheduled, or an operator retried it.
  let scheduledAt: Instant

  init(
    id: UUID7, kind: String, key: String?, payload: [UInt8], due: Instant, ready: Instant, attempt: Int32, fence: Int64,
    day: CivilDate?, scheduledAt: Instant) {
    self.id = id
    self.kind = kind
    self.key = key
    self.payload = payload
    self.due = due
    self.ready = ready
    self.attempt = attempt
    self.fence = fence
    self.day = day
    self.scheduledAt = scheduledAt
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> TakenJob {
    TakenJob(
      id: try row.next(), kind: try row.next(), key: try row.next(), payload: try row.next(), due: try row.next(),
      ready: try row.next(), attempt: try row.next(), fence: try row.next(), day: try row.next(),
      scheduledAt: try row.next())
  }
}

/// Takes due jobs, the earliest first, so that no other replica runs them while the leases last.
///
/// Each kind is looked up in its own part of the index: a long queue of one does not have to be read to find another's
/// next.
struct TakeDueJobs: Statement {
  typealias Row = TakenJob
  static let sql = """
    with due as materialized (
      select found.id, vacancies.lease_seconds
      from unnest($1::text[], $2::int8[], $3::float8[]) as vacancies (kind, count, lease_seconds)
      cross join lateral (
        select id, ready_at from jobs
        where kind = vacancies.kind and dead_at is null and ready_at <= $4
          and (lease_until is null or lease_until <= clock_timestamp())
        order by ready_at, id limit vacancies.count
        for update skip locked
      ) as found
      order by found.ready_at, found.id limit $5
    )
    update jobs set
      attempts = attempts + 1, fence = fence + 1,
      lease_until = clock_timestamp() + make_interval(secs => due.lease_seconds)
    from due where jobs.id = due.id
    returning jobs.id, jobs.kind, jobs.key, jobs.payload, jobs.due_at as due, jobs.ready_at as ready, jobs.attempts as attempt,
    jobs.fence, jobs.repeat_day as day, jobs.created_at as scheduled_at
    """
  let kinds: [String]
  /// How many jobs of each of the kinds at most.
  let counts: [Int64]
  /// How long a job of each of the kinds is owned.
  let leaseSeconds: [Double]
  let now: Instant
  let limit: Int64

  init(kinds: [String], counts: [Int64], leaseSeconds: [Double], now: Instant, limit: Int64) {
    self.kinds = kinds
    self.counts = counts
    self.leaseSeconds = leaseSeconds
    self.now = now
    self.limit = limit
  }

  func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(counts)
    p.append(leaseSeconds)
    p.append(now)
    p.append(limit)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try TakenJob.decode(row)
  }
}

/// When the next job of some kinds may be taken; no row when none waits.
///
/// Jobs that a replica is running are left out: most of them will never be taken again.
struct NextReadyJob: SingleRowStatement {
  typealias Row = Instant
  static let sql = """
    select next.ready_at
    from unnest($1::text[]) as kinds (kind)
    cross join lateral (
      select ready_at from jobs
      where kind = kinds.kind and dead_at is null and (lease_until is null or lease_until <= clock_timestamp())
      order by ready_at, id limit 1
    ) as next
    order by next.ready_at limit 1
    """
  let kinds: [String]

  init(kinds: [String]) {
    self.kinds = kinds
  }

  func bind(_ p: inout Parameters) {
    p.append(kinds)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a job that is done; no row where it is not the run's any more.
struct CompleteJob: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    delete from jobs where id = $1 and fence = $2 and lease_until is not null returning 1 as changed
    """
  let id: UUID7
  let fence: Int64

  init(id: UUID7, fence: Int64) {
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Moves a repeating job to its next occurrence; no row where it is not the run's any more.
///
/// It is on a later day than the one that was done, whatever the clock says now; and in the future, so that after a
/// long downtime the latest missed occurrence is done, not each of them.
struct AdvanceJob: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    update jobs set
      (repeat_day, due_at, ready_at) = (
        select next.day, next.due_at, next.due_at
        from job_next(jobs.repeat_day, $1, jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone) as next
      ),
      attempts = 0, fence = fence + 1, lease_until = null, last_failure = null
    where id = $2 and fence = $3 and lease_until is not null
    returning 1 as changed
    """
  let now: Instant
  let id: UUID7
  let fence: Int64

  init(now: Instant, id: UUID7, fence: Int64) {
    self.now = now
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Schedules another attempt of a job that failed; no row where it is not the run's any more.
struct NoteJobFailure: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    update jobs set ready_at = greatest(due_at, $1), lease_until = null, last_failure = left($2, 500)
    where id = $3 and fence = $4 and lease_until is not null
    returning 1 as changed
    """
  let readyAt: Instant
  let reason: String
  let id: UUID7
  let fence: Int64

  init(readyAt: Instant, reason: String, id: UUID7, fence: Int64) {
    self.readyAt = readyAt
    self.reason = reason
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(readyAt)
    p.append(reason)
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Releases a job whose run was stopped through no fault of its own; no row where it is not the run's any more.
struct ReleaseJob: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    update jobs set attempts = attempts - 1, lease_until = null
    where id = $1 and fence = $2 and lease_until is not null
    returning 1 as changed
    """
  let id: UUID7
  let fence: Int64

  init(id: UUID7, fence: Int64) {
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Gives a job up as a dead letter, which is kept for the operator; no row where it is not the run's any more.
struct DeadLetterJob: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    update jobs set dead_at = $1, lease_until = null, last_failure = left($2, 500)
    where id = $3 and fence = $4 and lease_until is not null
    returning 1 as changed
    """
  let now: Instant
  let reason: String
  let id: UUID7
  let fence: Int64

  init(now: Instant, reason: String, id: UUID7, fence: Int64) {
    self.now = now
    self.reason = reason
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(reason)
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Gives up one occurrence of a repeating job, kept for the operator as a job of its own; in one transaction with
/// ``AdvanceJob``. No row where it is not the run's any more.
struct BuryOccurrence: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    insert into jobs (id, kind, key, payload, due_at, ready_at, attempts, last_failure, dead_at, created_at)
    select $1, kind, key, payload, due_at, ready_at, attempts, left($2, 500), $3, created_at
    from jobs where id = $4 and fence = $5 and lease_until is not null
    returning 1 as changed
    """
  /// The id of the job that is kept.
  let deadID: UUID7
  let reason: String
  let now: Instant
  let id: UUID7
  let fence: Int64

  init(deadID: UUID7, reason: String, now: Instant, id: UUID7, fence: Int64) {
    self.deadID = deadID
    self.reason = reason
    self.now = now
    self.id = id
    self.fence = fence
  }

  func bind(_ p: inout Parameters) {
    p.append(deadID)
    p.append(reason)
    p.append(now)
    p.append(id)
    p.append(fence)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
