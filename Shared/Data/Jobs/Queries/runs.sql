-- columns: TakenJob
-- A job that a replica owns until its lease expires or it stores the result with the fence.
-- @ready: When it could be taken; returned with the job because the server returns the rows in any order.
-- @scheduled_at: When it was scheduled, or an operator retried it.
-- @attempt: The number of this run, from 1.
-- @fence: Grows with every take: a result with an older fence is refused.
-- @day: The local day of this occurrence; `nil` for a job that does not repeat.
jobs.id, jobs.kind, jobs.key, jobs.payload, jobs.due_at as due, jobs.ready_at as ready, jobs.attempts as attempt,
jobs.fence, jobs.repeat_day as day, jobs.created_at as scheduled_at;

-- name: TakeDueJobs :many
-- Takes due jobs, the earliest first, so that no other replica runs them while the leases last.
--
-- Each kind is looked up in its own part of the index: a long queue of one does not have to be read to find another's
-- next.
-- @counts: How many jobs of each of the kinds at most.
-- @lease_seconds: How long a job of each of the kinds is owned.
with due as materialized (
  select found.id, vacancies.lease_seconds
  from unnest(:kinds::text[], :counts::int8[], :lease_seconds::float8[]) as vacancies (kind, count, lease_seconds)
  cross join lateral (
    select id, ready_at from jobs
    where kind = vacancies.kind and dead_at is null and ready_at <= :now
      and (lease_until is null or lease_until <= clock_timestamp())
    order by ready_at, id limit vacancies.count
    for update skip locked
  ) as found
  order by found.ready_at, found.id limit :limit
)
update jobs set
  attempts = attempts + 1, fence = fence + 1,
  lease_until = clock_timestamp() + make_interval(secs => due.lease_seconds)
from due where jobs.id = due.id
returning {{TakenJob}};

-- name: NextReadyJob :one
-- When the next job of some kinds may be taken; no row when none waits.
--
-- Jobs that a replica is running are left out: most of them will never be taken again.
select next.ready_at
from unnest(:kinds::text[]) as kinds (kind)
cross join lateral (
  select ready_at from jobs
  where kind = kinds.kind and dead_at is null and (lease_until is null or lease_until <= clock_timestamp())
  order by ready_at, id limit 1
) as next
order by next.ready_at limit 1;

-- fragment: taken_job
-- The end of a run changes a job only while its fence is that of the run: no row means that the job was cancelled,
-- replaced or taken by another replica meanwhile, and that nothing was changed.
id = :id and fence = :fence and lease_until is not null;

-- name: CompleteJob :one
-- Removes a job that is done; no row where it is not the run's any more.
delete from jobs where {{taken_job}} returning 1 as "changed!";

-- name: AdvanceJob :one
-- Moves a repeating job to its next occurrence; no row where it is not the run's any more.
--
-- It is on a later day than the one that was done, whatever the clock says now; and in the future, so that after a
-- long downtime the latest missed occurrence is done, not each of them.
update jobs set
  (repeat_day, due_at, ready_at) = (
    select next.day, next.due_at, next.due_at
    from job_next(jobs.repeat_day, :now, jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone) as next
  ),
  attempts = 0, fence = fence + 1, lease_until = null, last_failure = null
where {{taken_job}}
returning 1 as "changed!";

-- name: NoteJobFailure :one
-- Schedules another attempt of a job that failed; no row where it is not the run's any more.
update jobs set ready_at = greatest(due_at, :ready_at), lease_until = null, last_failure = left(:reason, 500)
where {{taken_job}}
returning 1 as "changed!";

-- name: ReleaseJob :one
-- Releases a job whose run was stopped through no fault of its own; no row where it is not the run's any more.
update jobs set attempts = attempts - 1, lease_until = null
where {{taken_job}}
returning 1 as "changed!";

-- name: DeadLetterJob :one
-- Gives a job up as a dead letter, which is kept for the operator; no row where it is not the run's any more.
update jobs set dead_at = :now, lease_until = null, last_failure = left(:reason, 500)
where {{taken_job}}
returning 1 as "changed!";

-- name: BuryOccurrence :one
-- Gives up one occurrence of a repeating job, kept for the operator as a job of its own; in one transaction with
-- ``AdvanceJob``. No row where it is not the run's any more.
-- @dead_id: The id of the job that is kept.
insert into jobs (id, kind, key, payload, due_at, ready_at, attempts, last_failure, dead_at, created_at)
select :dead_id, kind, key, payload, due_at, ready_at, attempts, left(:reason, 500), :now, created_at
from jobs where {{taken_job}}
returning 1 as "changed!";
