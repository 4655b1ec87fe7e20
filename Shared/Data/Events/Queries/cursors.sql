-- name: CursorOf :one
-- The position up to which every event has taken effect; no row for a consumer that never received any.
select {{PositionColumns}} from event_cursors where producer = :producer and consumer = :consumer;

-- name: LockedCursor :one
-- The cursor, inserted where it is missing, and locked so that of several replicas one at a time moves it.
insert into event_cursors as known (producer, consumer, transaction_id, id, moved_at)
values (:producer, :consumer, '0', 0, :now)
on conflict (producer, consumer) do update set moved_at = known.moved_at
returning {{PositionColumns}};

-- name: MoveCursor :exec
-- Moves a locked cursor.
update event_cursors set transaction_id = :transaction_id, id = :id, moved_at = :now
where producer = :producer and consumer = :consumer;
