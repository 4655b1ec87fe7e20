import Identifiers
import Postgres

/// A job that a replica owns until its lease expires or it stores the result with the fence.
struct TakenJob: Sendable {
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let due: Instant
  /// When it was scheduled, or an operator retried it.
  let scheduledAt: Instant
  /// The number of this run, from 1.
  let attempt: Int
  /// Grows with every take: a result with an older fence is refused.
  let fence: Int64
  /// The local day of this occurrence; `nil` for a job that does not repeat.
  let day: CivilDate?

  var repeats: Bool { day != nil }

  /// The earliest time at which it could have been run.
  var possibleSince: Instant { max(due, scheduledAt) }
}

/// How many more jobs of a kind a replica can run, and the lease of each.
struct Vacancy: Sendable {
  let kind: String
  let count: Int
  let lease: Duration
}

/// Takes due jobs, the earliest first, so that no other replica runs them while the leases last.
///
/// Each kind is looked up in its own part of the index: a long queue of one does not have to be read to find another's
/// next.
struct TakeDueJobs: Statement {
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
    returning
      jobs.id, jobs.kind, jobs.key, jobs.payload, jobs.due_at, jobs.ready_at, jobs.attempts, jobs.fence,
      jobs.repeat_day, jobs.created_at
    """
  let vacancies: [Vacancy]
  let now: Instant
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(vacancies.map(\.kind))
    p.append(vacancies.map { Int64($0.count) })
    p.append(vacancies.map { $0.lease / .seconds(1) })
    p.append(now)
    p.append(Int64(limit))
  }

  /// The time is returned with the job because the server returns the rows in any order.
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> (ready: Instant, job: TakenJob) {
    let (id, kind, key): (UUID7, String, String?) = (try row.next(), try row.next(), try row.next())
    let (payload, due, ready): ([UInt8], Instant, Instant) = (try row.next(), try row.next(), try row.next())
    let (attempt, fence): (Int32, Int64) = (try row.next(), try row.next())
    let (day, scheduledAt): (CivilDate?, Instant) = (try row.next(), try row.next())
    let job = TakenJob(
      id: id, kind: kind, key: key, payload: payload, due: due, scheduledAt: scheduledAt, attempt: Int(attempt),
      fence: fence, day: day)
    return (ready, job)
  }
}

/// When the next job of some kinds may be taken; no row when none waits.
///
/// Jobs that a replica is running are left out: most of them will never be taken again.
struct NextReadyJob: Statement {
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

  func bind(_ p: inout Parameters) { p.append(kinds) }
}

/// How many jobs of each kind are due and not running; counted up to ``most``.
struct CountJobs: Statement {
  static let pace = Pace.slow
  static let most = 10_000
  static let sql = """
    select kinds.kind, waiting.count
    from unnest($1::text[]) as kinds (kind)
    cross join lateral (
      select count(*) as count from (
        select from jobs
        where kind = kinds.kind and dead_at is null and ready_at <= $2
          and (lease_until is null or lease_until <= clock_timestamp())
        limit \(most)
      ) as counted
    ) as waiting
    """
  let kinds: [String]
  let now: Instant

  func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(now)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> (kind: String, count: Int64) {
    (try row.next(), try row.next())
  }
}

/// How many jobs were given up; counted up to ``CountJobs/most``.
struct CountDeadJobs: Statement {
  static let pace = Pace.slow
  typealias Row = Int64
  static let sql = """
    select count(*) from (select from jobs where dead_at is not null limit \(CountJobs.most)) as counted
    """
}
