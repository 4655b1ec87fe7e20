-- columns: ParkedEventRecord public
-- A parked event as operators see it, without its payload.
-- @producer: The service that published it.
-- @consumer: The consumer in this service.
-- @key: The event's key.
-- @type: The full name of its message type.
-- @transaction_id: Of its position in the producer's log.
-- @event_id: Of its position in the producer's log.
-- @attempts: How often it was tried.
-- @due_at: When it is tried again, by the database's clock; meaningful for a failing one only.
-- @last_failure: Why the last attempt failed.
-- @parked_at: When it was parked, by the database's clock.
parked.id as "id!",
case
  when parked.skipped_at is not null then 'skipped'
  when exists (
    select from parked_events as earlier
    where earlier.producer = parked.producer and earlier.consumer = parked.consumer
      and earlier.topic = parked.topic and earlier.key = parked.key and earlier.skipped_at is null
      and (earlier.transaction_id, earlier.event_id) < (parked.transaction_id, parked.event_id)
  ) then 'waiting'
  else 'failing'
end as "state!",
parked.producer as "producer!", parked.consumer as "consumer!", parked.key as "key!", parked.type as "type!",
parked.transaction_id as "transaction_id!", parked.event_id as "event_id!", parked.attempts::bigint as "attempts!",
parked.due_at as "due_at!", parked.last_failure, parked.parked_at as "parked_at!";

-- name: ListParkedEvents :many public
-- A schema's parked events, with those that wait behind a failing one next to it.
select {{ParkedEventRecord}} from parked_events as parked
order by
  parked.producer, parked.consumer, parked.topic, parked.key, parked.transaction_id, parked.event_id
limit :limit;

-- name: RetryParkedEvent :one public
-- Makes a parked event due at once; a skipped one waits again, in front of the later ones of its key. No row for an
-- unknown id.
with retried as (
  update parked_events set due_at = now(), skipped_at = null where id = :id returning *
)
select {{ParkedEventRecord}} from retried as parked;

-- name: SkipParkedEvent :one public
-- Skips a parked event: it is kept, and the later ones of its key go on. No row for an unknown id.
with skipped as (
  update parked_events set skipped_at = coalesce(skipped_at, now()) where id = :id returning *
)
select {{ParkedEventRecord}} from skipped as parked;
