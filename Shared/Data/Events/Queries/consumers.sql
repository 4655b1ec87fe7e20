-- name: PutConsumer :exec
-- Stores the position after which a consumer begins, be it before or behind the stored one.
insert into event_consumers (consumer, transaction_id, id, seen_at, retention_time)
select :consumer, :transaction_id, :id, now(), retention_time from event_log
on conflict (consumer) do update
set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at,
  retention_time = excluded.retention_time;

-- name: NoteConsumer :exec
-- Stores that a consumer has acknowledged everything up to a position, and is connected.
-- Another replica of the consumer may have acknowledged more.
insert into event_consumers as known (consumer, transaction_id, id, seen_at, retention_time)
select :consumer, :transaction_id, :id, now(), retention_time from event_log
on conflict (consumer) do update
set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at,
  retention_time = excluded.retention_time
where (known.transaction_id, known.id) <= (excluded.transaction_id, excluded.id);

-- name: SeeConsumer :one
-- Stores that a consumer is connected; no row when it was forgotten.
update event_consumers set seen_at = now(), retention_time = event_log.retention_time from event_log
where event_consumers.consumer = :consumer returning event_consumers.consumer;

-- name: ForgetConsumers :many
-- Forgets consumers that have been away for longer than the limit; one row for each.
-- @timeout_microseconds: How long a consumer may be away.
-- @connected: The consumers that are connected to this process.
delete from event_consumers using event_log
where event_consumers.retention_time < event_log.retention_time - :timeout_microseconds::bigint * interval '1 microsecond'
  and not event_consumers.consumer = any(:connected::text[])
returning event_consumers.consumer;
