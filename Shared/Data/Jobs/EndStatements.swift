import Identifiers
import Postgres

// The ends of runs. Each statement compares the fence of the taken job and returns a row when it is still the job's: no
// row means that the job was cancelled, replaced or taken by another replica meanwhile, and that nothing was changed.

/// Removes a job that is done.
struct CompleteJob: Statement {
  typealias Row = Int32
  static let sql = "delete from jobs where id = $1 and fence = $2 and lease_until is not null returning 1"
  let job: TakenJob

  func bind(_ p: inout Parameters) { job.bind(&p) }
}

/// Moves a repeating job to its next occurrence.
///
/// It is on a later day than the one that was done, whatever the clock says now; and in the future, so that after a
/// long downtime the latest missed occurrence is done, not each of them.
struct AdvanceJob: Statement {
  typealias Row = Int32
  static let sql = """
    update jobs set
      (repeat_day, due_at, ready_at) = (
        select next.day, next.due_at, next.due_at
        from job_next(jobs.repeat_day, $3, jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone) as next
      ),
      attempts = 0, fence = fence + 1, lease_until = null, last_failure = null
    where id = $1 and fence = $2 and lease_until is not null
    returning 1
    """
  let job: TakenJob
  let now: Instant

  func bind(_ p: inout Parameters) {
    job.bind(&p)
    p.append(now)
  }
}

/// Schedules another attempt of a job that failed.
struct NoteJobFailure: Statement {
  typealias Row = Int32
  static let sql = """
    update jobs set ready_at = greatest(due_at, $3), lease_until = null, last_failure = left($4, 500)
    where id = $1 and fence = $2 and lease_until is not null
    returning 1
    """
  let job: TakenJob
  let readyAt: Instant
  let reason: String

  func bind(_ p: inout Parameters) {
    job.bind(&p)
    p.append(readyAt)
    p.append(reason)
  }
}

/// Releases a job whose run was stopped through no fault of its own.
struct ReleaseJob: Statement {
  typealias Row = Int32
  static let sql = """
    update jobs set attempts = attempts - 1, lease_until = null
    where id = $1 and fence = $2 and lease_until is not null
    returning 1
    """
  let job: TakenJob

  func bind(_ p: inout Parameters) { job.bind(&p) }
}

/// Gives a job up as a dead letter; it is kept for the operator.
struct DeadLetterJob: Statement {
  typealias Row = Int32
  static let sql = """
    update jobs set dead_at = $3, lease_until = null, last_failure = left($4, 500)
    where id = $1 and fence = $2 and lease_until is not null
    returning 1
    """
  let job: TakenJob
  let now: Instant
  let reason: String

  func bind(_ p: inout Parameters) {
    job.bind(&p)
    p.append(now)
    p.append(reason)
  }
}

/// Gives up one occurrence of a repeating job, kept for the operator as a job of its own; in one transaction with
/// ``AdvanceJob``.
struct BuryOccurrence: Statement {
  typealias Row = Int32
  static let sql = """
    insert into jobs (id, kind, key, payload, due_at, ready_at, attempts, last_failure, dead_at, created_at)
    select $5, kind, key, payload, due_at, ready_at, attempts, left($4, 500), $3, created_at
    from jobs where id = $1 and fence = $2 and lease_until is not null
    returning 1
    """
  let job: TakenJob
  let now: Instant
  let reason: String
  let deadID: UUID7

  func bind(_ p: inout Parameters) {
    job.bind(&p)
    p.append(now)
    p.append(reason)
    p.append(deadID)
  }
}

extension TakenJob {
  fileprivate func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(fence)
  }
}
