-- columns: ThrottleColumns as StoredThrottle
-- @kind ThrottleKind
kind, subject, attempts, locked_until, locks, empty_at;

-- fragment: throttles_of(kinds, subjects)
-- The existing records of the keys that two arrays have at the same places.
select {{ThrottleColumns}} from throttles
where (kind, subject) in (select * from unnest({{kinds}}::text [], {{subjects}}::bytea []));

-- name: ThrottlesOf :many
-- The existing records of some keys.
-- @kinds [ThrottleKind]
{{throttles_of(:kinds, :subjects)}};

-- name: LockedThrottles :many
-- The existing records of some keys, which are locked in a fixed order until the transaction ends.
-- @kinds [ThrottleKind]
{{throttles_of(:kinds, :subjects)}} order by kind, subject for update;

-- name: LockThrottles :many
-- The records of some keys, of which missing ones are created, locked in a fixed order until the transaction ends.
-- @kinds [ThrottleKind]
insert into throttles (kind, subject, expires_at)
select kind, subject, :now from unnest(:kinds::text [], :subjects::bytea []) as wanted (kind, subject)
order by kind, subject
-- The update changes nothing: it locks an existing row, as the insert locks a new one.
on conflict on constraint throttles_pkey do update set subject = excluded.subject
returning {{ThrottleColumns}};

-- name: StoreThrottle :exec
-- Replaces the record of a key that the transaction has locked.
-- @kind ThrottleKind
update throttles
set attempts = :attempts, locked_until = :locked_until?, locks = :locks, expires_at = :expires_at,
  empty_at = :empty_at?
where kind = :kind and subject = :subject;

-- name: ForgetThrottle :exec
-- Removes the record of a key.
-- @kind ThrottleKind
delete from throttles where kind = :kind and subject = :subject;

-- name: DeleteExpiredThrottles :many
-- Removes records that have expired.
delete from throttles where (kind, subject) in (
  select kind, subject from throttles where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
