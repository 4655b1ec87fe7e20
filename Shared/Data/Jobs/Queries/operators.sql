-- columns: JobRecord public: Equatable
-- A job as an operator sees it: without its payload, which may be about users.
-- @kind: The kind, which selects the handler.
-- @key: The key; `nil` for a job without one.
-- @due: When it is, or was, due.
-- @ready: When it is tried next; of a dead one, when its next attempt would have been.
-- @attempts: The number of attempts begun.
-- @last_failure: Why the last attempt failed.
-- @dead_at: When it was given up.
-- @created_at: When it was scheduled, or an operator retried it.
-- @zone: The time zone in which it repeats; `nil` for one that does not repeat.
-- @payload_length: Bytes of the payload.
id, kind, key,
case when dead_at is not null then 'dead' when lease_until > clock_timestamp() then 'running' else 'waiting' end
  as "state!",
due_at as due, ready_at as ready, attempts, last_failure, dead_at, created_at, repeat_zone as zone,
octet_length(payload) as "payload_length!";

-- name: ListJobs :many public
-- Some jobs: the dead ones in the order in which they were given up, others in the order in which they are tried next.
-- @kind: `nil` for all.
-- @state: `nil` for all.
select {{JobRecord}} from jobs
where (:kind?::text is null or kind = :kind?) and case :state?::text
    when 'dead' then dead_at is not null
    when 'running' then dead_at is null and lease_until > clock_timestamp()
    when 'waiting' then dead_at is null and (lease_until is null or lease_until <= clock_timestamp())
    else true
  end
order by coalesce(dead_at, ready_at), id limit :limit;

-- name: FindJob :one public
-- One job; no row when there is none with that id.
select {{JobRecord}} from jobs where id = :id;

-- name: RetryDeadJob :one public
-- Retries a dead job from now on, with all the attempts and time of a new one; no row when it is not dead.
--
-- It counts as scheduled now: by its first time, a job that was given up for its age would get only one attempt.
--
-- It fails with `23505` and ``livingConstraint`` when another pending job has the kind and the key meanwhile.
update jobs set dead_at = null, attempts = 0, ready_at = greatest(due_at, :now), created_at = :now, fence = fence + 1
where id = :id and dead_at is not null
returning {{JobRecord}};
