-- columns: PositionColumns as EventPosition
-- A position of a log.
transaction_id as "transaction_id!", id as "id!";

-- columns: RemovalColumns as EventPosition
-- The position up to which events may have been removed.
event_removals.transaction_id as "transaction_id!", event_removals.id as "id!";

-- fragment: numbered_transaction(transaction)
-- The transaction number of events, over the table `event_log`. `transaction` is an expression for the server's
-- transaction id, an `xid8`.
(event_log.transaction_offset + {{transaction}}::text::bigint)::text::xid8;

-- fragment: lost_transaction(number)
-- Whether a transaction, an expression for a number of events, belongs to a database that was restored to an earlier moment since.
exists (
  select from event_epochs
  where event_epochs.ended_transaction_id < {{number}} and event_epochs.next_transaction_id > {{number}}
);

-- name: InsertEvent :one
-- Adds an event; no row when a later transaction has already published one of the same key.
--
-- Transactions are numbered at their first change. One that then waits for another's lock has the lower number and the
-- later change.
with own as materialized (
  select {{numbered_transaction(pg_current_xact_id())}} as transaction_id, retention_time from event_log
)
insert into events (transaction_id, topic, key, type, payload, occurred_at, trace_parent, retention_time)
select
  own.transaction_id, :topic::text, :key::text, :type, :payload, :occurred_at, :trace_parent?, own.retention_time
from own
where not exists (
  select from events as later
  where later.topic = :topic::text and later.key = :key::text and later.transaction_id > own.transaction_id
)
returning id;

-- name: EventsAfter :many
-- Some events after a position, in order; at least one row, because the first columns are needed in any case.
--
-- Ids are assigned before the commit, and transactions commit in any order: an event with a higher id may appear
-- first. So nothing is read at or above the oldest transaction that was open when the statement began (its snapshot's
-- xmin): below it all have ended, and no event can appear there any more.
-- @includes_unsettled: Whether unsettled events are included: they may be sent again, and others may appear before them.
-- @horizon: Every transaction below this one has ended.
-- @others_wait: Whether events have committed that lie at or above it.
with horizon as materialized (
  select {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} as transaction_id from event_log
), waiting as materialized (
  -- The topic is compared as an expression so that it filters and no index is chosen for it: the order of the primary
  -- key finds the page, and the events behind it. Without that order the planner would read the whole table.
  select coalesce((
    select true from events
    where events.transaction_id >= horizon.transaction_id and events.topic || '' = any(:topics::text[])
    order by events.transaction_id, events.id
    limit 1
  ), false) as others from horizon
)
select
  horizon.transaction_id as "horizon!", waiting.others as "others_wait!", {{RemovalColumns as removed}},
  page.transaction_id, page.id, page.topic, page.key, page.type, page.payload, page.occurred_at, page.trace_parent
from horizon cross join waiting cross join event_removals left join lateral (
  select * from events
  where (events.transaction_id, events.id) > (:transaction_id, :id) and events.topic || '' = any(:topics::text[])
    and (:includes_unsettled or events.transaction_id < horizon.transaction_id)
  order by events.transaction_id, events.id
  limit :limit
) as page on true
order by page.transaction_id, page.id;

-- name: LogBounds :one
-- The first and last position of the log, locked against removals until the transaction ends; and what became of a
-- position.
-- @horizon: Every transaction below this one has ended.
-- @end: No transaction that has begun has this number or a higher one.
-- @is_lost: Whether the position was sent by a log that was restored from an earlier moment since.
select
  {{RemovalColumns as removed}},
  {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} as "horizon!",
  {{numbered_transaction(pg_snapshot_xmax(pg_current_snapshot()))}} as "end!",
  exists (
    select from event_epochs
    where (event_epochs.ended_transaction_id, event_epochs.ended_id) < (:transaction_id, :id)
      and event_epochs.next_transaction_id > :transaction_id
  ) as "is_lost!"
from event_removals cross join event_log for share of event_removals;

-- name: FirstRecentEvent :one
-- The first event of some topics that happened at a moment or later.
with recent as materialized (
  -- Separate from the order, so that the recent events are found by their index and not by reading all older ones.
  select transaction_id, id from events where topic = any(:topics::text[]) and occurred_at >= :since
)
select {{PositionColumns}} from recent order by transaction_id, id limit 1;
