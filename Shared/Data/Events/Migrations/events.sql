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
