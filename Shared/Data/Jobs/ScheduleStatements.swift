import Identifiers
import Postgres

/// The columns that are the same for every job.
struct JobRow: Sendable {
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let now: Instant

  init(_ job: Job, id: UUID7, now: Instant) {
    self.id = id
    kind = job.kind
    key = job.key
    payload = job.payload
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(kind)
    p.append(key)
    p.append(payload)
    p.append(now)
  }
}

/// The beginnings and ends that the four statements share.
private enum ScheduleSQL {
  static let once = """
    insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (kind, key) where key is not null and dead_at is null
    """

  /// The first occurrence is simply the next one after now.
  static let repeating = """
    insert into jobs (
      id, kind, key, payload, created_at, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day
    )
    select $1, $2, $3, $4, $5, next.due_at, next.due_at, $6, $7, $8, next.day
    from job_next(coalesce($9, date '0001-01-01'), $5, $6, $7, $8) as next
    on conflict (kind, key) where key is not null and dead_at is null
    """

  /// A replica that runs the old job finds its fence changed.
  static let replace = """
    do update set
      payload = excluded.payload, created_at = excluded.created_at, due_at = excluded.due_at,
      ready_at = excluded.ready_at, repeat_minute = excluded.repeat_minute,
      repeat_weekdays = excluded.repeat_weekdays, repeat_zone = excluded.repeat_zone,
      repeat_day = excluded.repeat_day, attempts = 0, lease_until = null, fence = jobs.fence + 1, last_failure = null
    """
}

/// Schedules a job and replaces an earlier one.
struct PutJob: Statement {
  typealias Row = Void
  static let sql = "\(ScheduleSQL.once) \(ScheduleSQL.replace)"
  let row: JobRow
  let due: Instant

  func bind(_ p: inout Parameters) {
    row.bind(&p)
    p.append(due)
  }
}

/// Schedules a job unless there is one.
struct KeepJob: Statement {
  typealias Row = Void
  static let sql = "\(ScheduleSQL.once) do nothing"
  let row: JobRow
  let due: Instant

  func bind(_ p: inout Parameters) {
    row.bind(&p)
    p.append(due)
  }
}

/// Schedules a repeating job and replaces an earlier one.
struct PutRepeatingJob: Statement {
  typealias Row = Void
  static let sql = "\(ScheduleSQL.repeating) \(ScheduleSQL.replace)"
  let row: JobRow
  let recurrence: Recurrence
  let lastDay: CivilDate?

  func bind(_ p: inout Parameters) {
    row.bind(&p)
    recurrence.bind(&p)
    p.append(lastDay)
  }
}

/// Schedules a repeating job unless there is one with the same recurrence.
struct KeepRepeatingJob: Statement {
  typealias Row = Void
  static let sql = """
    \(ScheduleSQL.repeating) \(ScheduleSQL.replace)
    where (jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone)
      is distinct from (excluded.repeat_minute, excluded.repeat_weekdays, excluded.repeat_zone)
    """
  let row: JobRow
  let recurrence: Recurrence
  let lastDay: CivilDate?

  func bind(_ p: inout Parameters) {
    row.bind(&p)
    recurrence.bind(&p)
    p.append(lastDay)
  }
}

extension Recurrence {
  fileprivate func bind(_ p: inout Parameters) {
    p.append(Int32(minuteOfDay))
    p.append(Int32(weekdays.rawValue))
    p.append(zone)
  }
}

/// Removes the pending job of a kind and key; a row when there was one.
struct CancelJob: Statement {
  typealias Row = Int32
  static let sql = "delete from jobs where kind = $1 and key = $2 and dead_at is null returning 1"
  let kind: String
  let key: String

  func bind(_ p: inout Parameters) {
    p.append(kind)
    p.append(key)
  }
}
