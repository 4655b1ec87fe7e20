// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension EventsSchema {
  /// `events.sql`, as a schema's migration number `version`.
  public static func events(version: Int) -> Migration {
    Migration(version: version, name: "events", sql: eventsSQL)
  }

  /// `events_upkeep.sql`, as a schema's migration number `version`.
  public static func eventsUpkeep(version: Int) -> Migration {
    Migration(version: version, name: "events_upkeep", sql: eventsUpkeepSQL)
  }

  private static let eventsSQL = """
    -- What happened in this service, for others to follow; and how far this service has followed the others.

    create table events (
      transaction_id xid8 not null default pg_current_xact_id(),
      id bigint not null generated always as identity,
      topic text not null,
      key text not null,
      type text not null,
      payload bytea not null,
      occurred_at timestamptz not null,
      trace_parent text,
      constraint events_pkey primary key (transaction_id, id),
      constraint events_topic_format check (topic ~ '^[a-z0-9_.]{1,60}$'),
      constraint events_key_length check (octet_length(key) between 1 and 200),
      constraint events_type_length check (octet_length(type) between 1 and 200),
      constraint events_payload_length check (octet_length(payload) <= 65536),
      constraint events_trace_parent_length check (octet_length(trace_parent) <= 200)
    );

    create index events_topic_occurred_at_idx on events (topic, occurred_at);
    create index events_key_idx on events (topic, key, transaction_id);

    comment on table events is
    'What happened here, written in the transaction in which it happened. Read in the order of the primary key and only '
    'below the oldest transaction that is still open: ids are taken before they commit.';
    comment on column events.transaction_id is
    'The transaction that wrote it. Its order is not that of commits, which is why nothing is read that an open '
    'transaction could still come before.';
    comment on column events.id is 'Rises within a transaction; taken, and perhaps wasted, before the transaction commits.';
    comment on column events.topic is 'What followers choose by, such as identity.accounts.';
    comment on column events.key is 'What it happened to; the events of one key are in order.';
    comment on column events.type is 'The full name of the payload''s protobuf message.';
    comment on column events.payload is 'The serialized message, at most 64 KiB.';
    comment on column events.occurred_at is 'When it happened, by the service''s clock.';
    comment on column events.trace_parent is
    'The trace of the call that caused it (W3C traceparent); null when there was none.';

    create table event_consumers (
      consumer text not null,
      transaction_id xid8 not null,
      id bigint not null,
      seen_at timestamptz not null,
      constraint event_consumers_pkey primary key (consumer),
      constraint event_consumers_consumer_format check (consumer ~ '^[a-z0-9.-]{1,60}$')
    );

    comment on table event_consumers is
    'Who follows this service''s events, and up to where each has dealt with them.';
    comment on column event_consumers.consumer is
    'The following service''s name, with a word of its own where it has several.';
    comment on column event_consumers.transaction_id is 'Of the last position that it acknowledged.';
    comment on column event_consumers.id is 'Of the last position that it acknowledged.';
    comment on column event_consumers.seen_at is
    'When it last acknowledged something or came back, by the service''s clock; one that stays away too long is forgotten.';

    create table event_removals (
      singleton boolean not null default true,
      transaction_id xid8 not null,
      id bigint not null,
      constraint event_removals_pkey primary key (singleton),
      constraint event_removals_singleton check (singleton)
    );

    comment on table event_removals is 'One row: up to where events were removed, so that who comes back too late is told.';
    comment on column event_removals.singleton is 'Always true: there is one row.';
    comment on column event_removals.transaction_id is 'Of the last event that was removed.';
    comment on column event_removals.id is 'Of the last event that was removed.';

    insert into event_removals (transaction_id, id) values ('0', 0);

    create table event_cursors (
      producer text not null,
      consumer text not null,
      transaction_id xid8 not null,
      id bigint not null,
      moved_at timestamptz not null,
      constraint event_cursors_pkey primary key (producer, consumer)
    );

    comment on table event_cursors is
    'How far this service has followed others. Moved in the transaction of the events'' effects, so that each takes effect '
    'once.';
    comment on column event_cursors.producer is 'The service that is followed.';
    comment on column event_cursors.consumer is 'Who of this service follows it.';
    comment on column event_cursors.transaction_id is
    'Of the position up to which everything has taken effect; a number of the other''s database.';
    comment on column event_cursors.id is 'Of the position up to which everything has taken effect.';
    comment on column event_cursors.moved_at is 'When it was last moved, by the service''s clock.';

    """

  private static let eventsUpkeepSQL = """
    -- What keeps events right where a database is restored, where a clock is wrong, and where an event cannot be applied.

    create table event_log (
      singleton boolean not null default true,
      place text,
      transaction_offset bigint not null default 0,
      told_transaction_id xid8 not null,
      told_id bigint not null,
      retention_time timestamptz not null default now(),
      swept_at timestamptz not null default now(),
      constraint event_log_pkey primary key (singleton),
      constraint event_log_singleton check (singleton),
      constraint event_log_place_length check (octet_length(place) <= 200),
      constraint event_log_transaction_offset_range check (transaction_offset >= 0)
    );

    comment on table event_log is 'One row: how events are numbered here, and how much time has passed for them.';
    comment on column event_log.singleton is 'Always true: there is one row.';
    comment on column event_log.place is
    'The server and the table for which the offset was chosen. Where it is another one the database was restored, and a '
    'new epoch begins. Null until a service has looked.';
    comment on column event_log.transaction_offset is
    'What is added to a transaction''s number to make the transaction_id of its events: these rise for ever, while another '
    'server counts its transactions from wherever it is.';
    comment on column event_log.told_transaction_id is
    'Of the last position behind the newest event that a follower was told: no follower''s position is beyond this, the '
    'newest event and event_removals.';
    comment on column event_log.told_id is 'Of the same position.';
    comment on column event_log.retention_time is
    'The age of events and the absence of consumers are measured by it. It goes on by what the database''s clock and a '
    'monotonic clock of the service both say has passed, so it stands still while no service runs.';
    comment on column event_log.swept_at is 'When it last went on, by the database''s clock.';

    insert into event_log (told_transaction_id, told_id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);

    create table event_epochs (
      next_transaction_id xid8 not null,
      ended_transaction_id xid8 not null,
      ended_id bigint not null,
      ended_at timestamptz not null default now(),
      constraint event_epochs_pkey primary key (next_transaction_id),
      constraint event_epochs_order check (ended_transaction_id < next_transaction_id)
    );

    comment on table event_epochs is
    'One row for each time that the database was restored: a position between the end of one epoch and the beginning of '
    'the next was told by a log of which the restored one knows nothing.';
    comment on column event_epochs.next_transaction_id is
    'All events of the next epoch are above it. It is drawn by lot, so that two logs restored from one dump '
    'have different ones.';
    comment on column event_epochs.ended_transaction_id is 'Of the last position that followers can have been told.';
    comment on column event_epochs.ended_id is 'Of the same position.';
    comment on column event_epochs.ended_at is 'When the restored database was first used, by the database''s clock.';

    alter table events add column retention_time timestamptz not null default now();
    comment on column events.retention_time is 'What event_log.retention_time was when the event was written.';

    alter table event_consumers add column retention_time timestamptz not null default now();
    comment on column event_consumers.retention_time is
    'What event_log.retention_time was when the consumer was last connected; one that stays away too long is forgotten.';
    comment on column event_consumers.seen_at is
    'When it last acknowledged something or came back, by the database''s clock; for operators to read.';

    create table parked_events (
      id uuid not null default gen_random_uuid(),
      producer text not null,
      consumer text not null,
      topic text not null,
      key text not null,
      transaction_id xid8 not null,
      event_id bigint not null,
      type text not null,
      event bytea not null,
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      last_failure text,
      parked_at timestamptz not null default now(),
      skipped_at timestamptz,
      constraint parked_events_pkey primary key (id),
      constraint parked_events_position_key unique (producer, consumer, topic, key, transaction_id, event_id),
      constraint parked_events_topic_length check (octet_length(topic) <= 200),
      constraint parked_events_key_length check (octet_length(key) <= 200),
      constraint parked_events_type_length check (octet_length(type) <= 200),
      constraint parked_events_event_length check (octet_length(event) <= 131072),
      constraint parked_events_last_failure_length check (char_length(last_failure) <= 500)
    );

    comment on table parked_events is
    'Others'' events that could not be applied, and all later ones of their keys: each key''s first one is tried again, '
    'the others wait for it. Written in the transaction that moves the cursor.';
    comment on column parked_events.id is 'What an operator names it by.';
    comment on column parked_events.producer is 'The service that told it.';
    comment on column parked_events.consumer is 'Who of this service follows it.';
    comment on column parked_events.topic is 'The event''s topic.';
    comment on column parked_events.key is 'What it happened to; the events of one topic and key are applied in order.';
    comment on column parked_events.transaction_id is 'Of the event''s position, which orders the events of a key.';
    comment on column parked_events.event_id is 'Of the event''s position.';
    comment on column parked_events.type is 'The full name of the payload''s protobuf message.';
    comment on column parked_events.event is 'The serialized tandem.events.v1.Event.';
    comment on column parked_events.attempts is 'How often it was tried; 0 for one that waits for another.';
    comment on column parked_events.due_at is
    'When it is tried again once it is its key''s first, by the database''s clock.';
    comment on column parked_events.last_failure is 'Why the last attempt failed; null for one that waits for another.';
    comment on column parked_events.parked_at is 'When it was parked, by the database''s clock.';
    comment on column parked_events.skipped_at is
    'When an operator had it left out, by the database''s clock; later ones of its key do not wait for it.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    PutConsumer.self,
    NoteConsumer.self,
    SeeConsumer.self,
    ForgetConsumers.self,
    CursorOf.self,
    LockedCursor.self,
    MoveCursor.self,
    LogPlace.self,
    LogPlaceInDatabase.self,
    MayAskForServer.self,
    NoteLogPlace.self,
    BeginEpoch.self,
    NoteTold.self,
    InsertEvent.self,
    EventsAfter.self,
    LogBounds.self,
    FirstRecentEvent.self,
    ListParkedEvents.self,
    RetryParkedEvent.self,
    SkipParkedEvent.self,
    ParkedLines.self,
    ParkEvents.self,
    DueParkedEvent.self,
    LockedParkedEvent.self,
    DeleteParkedEvent.self,
    DeleteParkedEvents.self,
    NoteParkedFailure.self,
    CountParkedEvents.self,
    AdvanceRetention.self,
    LockRemovals.self,
    RemoveEvents.self,
  ]
}
