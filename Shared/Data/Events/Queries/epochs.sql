-- columns: FoundPlace
-- Where a log is, and where it was when its offset was chosen.
-- @noted: `nil` until a service has checked.
-- @is_ahead: Whether an event has a number that no transaction of this server has had.
noted, actual as "actual!", is_ahead as "is_ahead!";

-- fragment: found_log_place(server)
-- The place of a log: the server's identity, for which `server` is an expression, and the table's.
select {{FoundPlace}} from (
  select
    event_log.place as noted,
    {{server}} || '/' || (select oid::text from pg_database where datname = current_database()) || '/'
      || 'events'::regclass::oid::text as actual,
    coalesce((
      select events.transaction_id from events order by events.transaction_id desc, events.id desc limit 1
    ) >= {{numbered_transaction(pg_snapshot_xmax(pg_current_snapshot()))}}, false) as is_ahead
  from event_log
) as found;

-- name: LogPlace :one
-- The place of a log: the server's system identifier and the table's.
{{found_log_place((select system_identifier::text from pg_control_system()))}};

-- name: LogPlaceInDatabase :one
-- The place of a log for a role that may not read the server's system identifier.
{{found_log_place('')}};

-- name: MayAskForServer :one
-- Whether the role may read the server's system identifier.
select has_function_privilege('pg_control_system()', 'execute') as "may_ask!";

-- name: NoteLogPlace :exec
-- Stores where a log is.
update event_log set place = :place;

-- name: BeginEpoch :one
-- Begins an epoch; returns the last position that followers can have received before.
--
-- Epochs are at least 2^44 transactions apart, more than a server reaches in one. Where in the first half of that the
-- next begins is random: it distinguishes two logs that were restored from one dump.
with published as (
  (select transaction_id, id from events order by transaction_id desc, id desc limit 1)
  union all select transaction_id, id from event_removals
  union all select transaction_id, id from event_consumers
  union all select told_transaction_id, told_id from event_log
), ended as (
  select transaction_id, id from published order by transaction_id desc, id desc limit 1
), begun as (
  select
    ended.transaction_id, ended.id,
    (((greatest(ended.transaction_id::text::bigint, event_log.transaction_offset) >> 44) + 1) << 44)
      + floor(random() * (1::bigint << 43))::bigint as transaction_offset
  from ended cross join event_log
), moved as (
  update event_log set transaction_offset = begun.transaction_offset, place = :place from begun
), noted as (
  insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
  select transaction_offset::text::xid8, transaction_id, id from begun
)
select {{PositionColumns}} from ended;

-- name: NoteTold :exec
-- Stores a position behind all events before a follower receives it, so that a dump contains every position that was
-- sent before.
update event_log set told_transaction_id = :transaction_id, told_id = :id
where (told_transaction_id, told_id) < (:transaction_id, :id);
