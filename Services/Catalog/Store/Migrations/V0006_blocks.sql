-- Who keeps whom away, as identity told it (C-10).

create table blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_of_others check (blocker_id <> blocked_id)
);

create index blocks_blocked_idx on blocks (blocked_id, blocker_id);

comment on table blocks is
'People who keep others away, as identity told it: neither sees the other''s books and comments (C-10).';
comment on column blocks.blocker_id is 'Who blocks.';
comment on column blocks.blocked_id is 'Who is blocked.';

-- The consumer begins with the first event that there ever was. Where that was removed meanwhile it is told so, and
-- asks identity for all blocks; without a position it would begin with the oldest that is left, and miss the others.
insert into event_cursors (producer, consumer, transaction_id, id, moved_at)
values ('identity', 'catalog.blocks', '0', 0, now())
-- A follower may have begun while this is run; it begins there too.
on conflict on constraint event_cursors_pkey do nothing;
