-- fragment: most_jobs_counted
-- As JobMetrics says.
10000;

-- name: CountJobs :many slow
-- How many jobs of each kind are due and not running; counted up to 10,000.
select kinds.kind as "kind!", waiting.count as "count!"
from unnest(:kinds::text[]) as kinds (kind)
cross join lateral (
  select count(*) as count from (
    select from jobs
    where kind = kinds.kind and dead_at is null and ready_at <= :now
      and (lease_until is null or lease_until <= clock_timestamp())
    limit {{most_jobs_counted}}
  ) as counted
) as waiting;

-- name: CountDeadJobs :one slow
-- How many jobs were given up; counted up to 10,000.
select count(*) as "dead!" from (select from jobs where dead_at is not null limit {{most_jobs_counted}}) as counted;
