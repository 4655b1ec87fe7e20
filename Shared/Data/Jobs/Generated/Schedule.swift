// Made from schedule.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Schedules a job and replaces an earlier one.
struct PutJob: Statement {
  typealias Row = Void
  static let sql = """
    insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (kind, key) where key is not null and dead_at is null do update set
      payload = excluded.payload, created_at = excluded.created_at, due_at = excluded.due_at,
      ready_at = excluded.ready_at, repeat_minute = excluded.repeat_minute,
      repeat_weekdays = excluded.repeat_weekdays, repeat_zone = excluded.repeat_zone,
      repeat_day = excluded.repeat_day, attempts = 0, lease_until = null, fence = jobs.fence + 1, last_failure = null
    """
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let now: Instant
  let due: Instant

  init(id: UUID7, kind: String, key: String?, payload: [UInt8], now: Instant, due: Instant) {
    self.id = id
    self.kind = kind
    self.key = key
    self.payload = payload
    self.now = now
    self.due = due
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(kind)
    p.append(key)
    p.append(payload)
    p.append(now)
    p.append(due)
  }
}

/// Schedules a job unless there is one.
struct KeepJob: Statement {
  typealias Row = Void
  static let sql = """
    insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (kind, key) where key is not null and dead_at is null do nothing
    """
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let now: Instant
  let due: Instant

  init(id: UUID7, kind: String, key: String?, payload: [UInt8], now: Instant, due: Instant) {
    self.id = id
    self.kind = kind
    self.key = key
    self.payload = payload
    self.now = now
    self.due = due
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(kind)
    p.append(key)
    p.append(payload)
    p.append(now)
    p.append(due)
  }
}

/// Schedules a repeating job and replaces an earlier one.
struct PutRepeatingJob: Statement {
  typealias Row = Void
  static let sql = """
    insert into jobs (
      id, kind, key, payload, created_at, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day
    )
    select
      $1, $2, $3, $4, $5, next.due_at, next.due_at, $6, $7, $8, next.day
    from job_next(
      coalesce($9, date '0001-01-01'), $5, $6, $7, $8
    ) as next
    on conflict (kind, key) where key is not null and dead_at is null do update set
      payload = excluded.payload, created_at = excluded.created_at, due_at = excluded.due_at,
      ready_at = excluded.ready_at, repeat_minute = excluded.repeat_minute,
      repeat_weekdays = excluded.repeat_weekdays, repeat_zone = excluded.repeat_zone,
      repeat_day = excluded.repeat_day, attempts = 0, lease_until = null, fence = jobs.fence + 1, last_failure = null
    """
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let now: Instant
  let repeatMinute: Int32
  let repeatWeekdays: Int32
  let repeatZone: String
  let lastDay: CivilDate?

  init(
    id: UUID7, kind: String, key: String?, payload: [UInt8], now: Instant, repeatMinute: Int32, repeatWeekdays: Int32,
    repeatZone: String, lastDay: CivilDate?) {
    self.id = id
    self.kind = kind
    self.key = key
    self.payload = payload
    self.now = now
    self.repeatMinute = repeatMinute
    self.repeatWeekdays = repeatWeekdays
    self.repeatZone = repeatZone
    self.lastDay = lastDay
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(kind)
    p.append(key)
    p.append(payload)
    p.append(now)
    p.append(repeatMinute)
    p.append(repeatWeekdays)
    p.append(repeatZone)
    p.append(lastDay)
  }
}

/// Schedules a repeating job unless there is one with the same recurrence.
struct KeepRepeatingJob: Statement {
  typealias Row = Void
  static let sql = """
    insert into jobs (
      id, kind, key, payload, created_at, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day
    )
    select
      $1, $2, $3, $4, $5, next.due_at, next.due_at, $6, $7, $8, next.day
    from job_next(
      coalesce($9, date '0001-01-01'), $5, $6, $7, $8
    ) as next
    on conflict (kind, key) where key is not null and dead_at is null do update set
      payload = excluded.payload, created_at = excluded.created_at, due_at = excluded.due_at,
      ready_at = excluded.ready_at, repeat_minute = excluded.repeat_minute,
      repeat_weekdays = excluded.repeat_weekdays, repeat_zone = excluded.repeat_zone,
      repeat_day = excluded.repeat_day, attempts = 0, lease_until = null, fence = jobs.fence + 1, last_failure = null
    where (jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone)
      is distinct from (excluded.repeat_minute, excluded.repeat_weekdays, excluded.repeat_zone)
    """
  let id: UUID7
  let kind: String
  let key: String?
  let payload: [UInt8]
  let now: Instant
  let repeatMinute: Int32
  let repeatWeekdays: Int32
  let repeatZone: String
  let lastDay: CivilDate?

  init(
    id: UUID7, kind: String, key: String?, payload: [UInt8], now: Instant, repeatMinute: Int32, repeatWeekdays: Int32,
    repeatZone: String, lastDay: CivilDate?) {
    self.id = id
    self.kind = kind
    self.key = key
    self.payload = payload
    self.now = now
    self.repeatMinute = repeatMinute
    self.repeatWeekdays = repeatWeekdays
    self.repeatZone = repeatZone
    self.lastDay = lastDay
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(kind)
    p.append(key)
    p.append(payload)
    p.append(now)
    p.append(repeatMinute)
    p.append(repeatWeekdays)
    p.append(repeatZone)
    p.append(lastDay)
  }
}

/// Removes the pending job of a kind and key; a row when there was one.
struct CancelJob: SingleRowStatement {
  typealias Row = Int32
  static let sql = """
    delete from jobs where kind = $1 and key = $2 and dead_at is null returning 1 as cancelled
    """
  let kind: String
  let key: String

  init(kind: String, key: String) {
    self.kind = kind
    self.key = key
  }

  func bind(_ p: inout Parameters) {
    p.append(kind)
    p.append(key)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
