-- fragment: job_once
insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
values (:id, :kind, :key?, :payload, :now, :due, :due)
on conflict (kind, key) where key is not null and dead_at is null;

-- fragment: job_repeating
-- The first occurrence is simply the next one after now.
insert into jobs (
  id, kind, key, payload, created_at, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day
)
select
  :id, :kind, :key?, :payload, :now, next.due_at, next.due_at, :repeat_minute, :repeat_weekdays, :repeat_zone, next.day
from job_next(
  coalesce(:last_day?, date '0001-01-01'), :now, :repeat_minute, :repeat_weekdays, :repeat_zone
) as next
on conflict (kind, key) where key is not null and dead_at is null;

-- fragment: replace_earlier_job
-- A replica that runs the old job finds its fence changed.
do update set
  payload = excluded.payload, created_at = excluded.created_at, due_at = excluded.due_at,
  ready_at = excluded.ready_at, repeat_minute = excluded.repeat_minute,
  repeat_weekdays = excluded.repeat_weekdays, repeat_zone = excluded.repeat_zone,
  repeat_day = excluded.repeat_day, attempts = 0, lease_until = null, fence = jobs.fence + 1, last_failure = null;

-- name: PutJob :exec
-- Schedules a job and replaces an earlier one.
{{job_once}} {{replace_earlier_job}};

-- name: KeepJob :exec
-- Schedules a job unless there is one.
{{job_once}} do nothing;

-- name: PutRepeatingJob :exec
-- Schedules a repeating job and replaces an earlier one.
{{job_repeating}} {{replace_earlier_job}};

-- name: KeepRepeatingJob :exec
-- Schedules a repeating job unless there is one with the same recurrence.
{{job_repeating}} {{replace_earlier_job}}
where (jobs.repeat_minute, jobs.repeat_weekdays, jobs.repeat_zone)
  is distinct from (excluded.repeat_minute, excluded.repeat_weekdays, excluded.repeat_zone);

-- name: CancelJob :one
-- Removes the pending job of a kind and key; a row when there was one.
delete from jobs where kind = :kind and key = :key and dead_at is null returning 1 as "cancelled!";
