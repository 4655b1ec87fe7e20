-- name: ParkedLines :many
-- The lines among some that have parked events which are not skipped, and how many.
select topic, key, count(*) as "count!" from parked_events
where producer = :producer and consumer = :consumer and skipped_at is null
  and (topic, key) in (
    select wanted.topic, wanted.key from unnest(:topics::text[], :keys::text[]) as wanted (topic, key)
  )
group by topic, key;

-- name: ParkEvents :exec
-- Parks events behind others of their lines, or one that failed.
-- @attempts: How often the event was tried; 0 for events that wait.
-- @failure: Why the event failed; `nil` for events that wait.
-- @wait_microseconds: Until the event is tried again.
-- @transaction_ids [TransactionID]
insert into parked_events (
  producer, consumer, topic, key, transaction_id, event_id, type, event, attempts, last_failure, due_at
)
select
  :producer, :consumer, parked.topic, parked.key, parked.transaction_id, parked.event_id, parked.type, parked.event,
  :attempts, left(:failure?::text, 500), now() + :wait_microseconds::bigint * interval '1 microsecond'
from unnest(
  :topics::text[], :keys::text[], :transaction_ids::xid8[], :event_ids::bigint[], :types::text[], :events::bytea[]
) as parked (topic, key, transaction_id, event_id, type, event)
on conflict on constraint parked_events_position_key do nothing;

-- name: DueParkedEvent :one
-- The next parked event that is due, the first of its line; no row when none is.
select first.id from (
  select distinct on (topic, key) id, due_at from parked_events
  where producer = :producer and consumer = :consumer and skipped_at is null
  order by topic, key, transaction_id, event_id
) as first
where first.due_at <= now() order by first.due_at limit 1;

-- name: LockedParkedEvent :one
-- A parked event, locked against operators until the transaction ends; no row where it was skipped meanwhile.
-- @event: The serialized event.
select event, attempts from parked_events where id = :id and skipped_at is null for update;

-- name: DeleteParkedEvent :exec
-- Removes a parked event that has taken effect.
delete from parked_events where id = :id;

-- name: DeleteParkedEvents :one
-- Removes all parked events of a consumer that was resynced, where the resync restored their effects; returns how many
-- there were.
with gone as (delete from parked_events where producer = :producer and consumer = :consumer returning id)
select count(*) as "removed!" from gone;

-- name: NoteParkedFailure :exec
-- Records another failed attempt, unless another replica has recorded one meanwhile.
-- @wait_microseconds: Until the event is tried again.
-- @attempts: How often it was tried before.
update parked_events
set attempts = attempts + 1, last_failure = left(:failure::text, 500),
  due_at = now() + :wait_microseconds::bigint * interval '1 microsecond'
where id = :id and attempts = :attempts and skipped_at is null;

-- name: CountParkedEvents :one
-- How many events of a consumer are parked.
select
  count(*) filter (where skipped_at is null) as "waiting!", count(*) filter (where skipped_at is not null) as "skipped!"
from parked_events where producer = :producer and consumer = :consumer;
