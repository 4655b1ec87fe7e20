-- Deliveries in an order that no flood of notices upsets, and mails that gather notices (ID-61).

alter table deliveries add column urgency smallint not null default 2;
alter table deliveries add column share bigint not null default 0;
alter table deliveries add column turn integer not null default 0;
alter table deliveries add column gathering bigint;

comment on column deliveries.urgency is
'0 for what its recipient waits for or must know (verification, reset, security), 1 for notices that cannot wait, 2 '
'for others. Lower ones are sent first.';
comment on column deliveries.share is
'Stands for the user who caused it, so that each has a turn: a hash, so that the id of no other user is kept.';
comment on column deliveries.turn is
'Its place among those of its share that were due when it was queued: the first of every user go before the second of '
'any.';
comment on column deliveries.gathering is
'Stands for what a mail about notices gathers: the kind and the user who caused them, or 0 for all notices to a '
'recipient who has had many mails; null for other contents.';

update deliveries set urgency = 0 where content <> 'NOTIFICATION' and state = 'DUE';

-- The rows are fewer than a month's mail, and the first one written checks them anyway.
-- squawk-ignore constraint-missing-not-valid
alter table deliveries add constraint deliveries_urgency_known check (urgency between 0 and 2);
-- squawk-ignore constraint-missing-not-valid
alter table deliveries add constraint deliveries_turn_counted check (turn >= 0);

-- squawk-ignore require-concurrent-index-creation
create index deliveries_turn_idx on deliveries (channel, urgency, turn, due_at) where state = 'DUE';
-- squawk-ignore require-concurrent-index-creation
create index deliveries_share_idx on deliveries (channel, share, turn) where state = 'DUE';
-- squawk-ignore require-concurrent-index-creation
create index deliveries_gathering_idx on deliveries (account_id, created_at) where gathering is not null;
-- squawk-ignore require-concurrent-index-creation
create index email_changes_new_email_idx on email_changes (new_email_key) where confirmed_at is null;

create table gathered_notices (
  delivery_id uuid not null,
  notification_id uuid not null,
  constraint gathered_notices_pkey primary key (delivery_id, notification_id),
  constraint gathered_notices_delivery_fkey foreign key (delivery_id) references deliveries (id) on delete cascade,
  constraint gathered_notices_notification_fkey
  foreign key (notification_id) references notifications (id) on delete cascade
);

create index gathered_notices_notification_idx on gathered_notices (notification_id);

comment on table gathered_notices is
'The notifications that a mail tells of beside its first one: those that were stored while it waited (ID-61).';
comment on column gathered_notices.delivery_id is 'The mail.';
comment on column gathered_notices.notification_id is 'A further notification, to the same recipient.';
