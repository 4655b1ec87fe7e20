-- name: AdvanceRetention :one
-- Advances the retention time, by which events' ages and consumers' absences are measured: by what has passed on the
-- database's clock since the last time, and by no more than a monotonic clock measured.
-- @elapsed_microseconds: The time since the last sweep by the monotonic clock.
-- @passed: Microseconds by the database's clock; negative when it was set back.
-- @counted: The part of `passed`, in microseconds, that was added to the retention time.
with last as materialized (
  -- The row is locked: of several replicas each counts what passed since the one before.
  select swept_at, clock_timestamp() as present from event_log for update
), advance as (
  select present,
    (extract(epoch from present - swept_at) * 1000000)::bigint as passed
  from last
)
update event_log
set swept_at = advance.present,
  retention_time = event_log.retention_time
    + greatest(0, least(advance.passed, :elapsed_microseconds)) * interval '1 microsecond'
from advance
returning advance.passed as "passed!", greatest(0, least(advance.passed, :elapsed_microseconds)) as "counted!";

-- name: LockRemovals :one
-- Blocks new subscriptions, and other removals, until the transaction ends.
select {{RemovalColumns as removed}} from event_removals for update;

-- name: RemoveEvents :one
-- Removes some of the oldest events: those that were kept long enough and that every consumer has acknowledged.
-- Returns their number.
-- By ctid, which never changes, as events are never updated. A join with the table would read all of it.
with oldest as materialized (
  select ctid as place, transaction_id, id, retention_time from events order by transaction_id, id limit :limit
), log as materialized (
  select
    {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} as horizon,
    retention_time - :kept_microseconds::bigint * interval '1 microsecond' as before
  from event_log
), removed as (
  delete from events where ctid = any(array(
    select oldest.place from oldest cross join log
    where oldest.retention_time < log.before and oldest.transaction_id < log.horizon
      and not exists (
        select from event_consumers as known
        where (known.transaction_id, known.id) < (oldest.transaction_id, oldest.id)
      )
  )) returning transaction_id, id
), last as (
  select transaction_id, id from removed order by transaction_id desc, id desc limit 1
), noted as (
  update event_removals set transaction_id = last.transaction_id, id = last.id from last
  where (event_removals.transaction_id, event_removals.id) < (last.transaction_id, last.id)
)
select count(*) as "removed!" from removed;
