-- Who has blocked whom. The catalog and lending have made theirs before.

create table blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_idx on blocks (blocked_id);

comment on table blocks is 'Blocks between users, as identity reported them (C-10).';
comment on column blocks.blocker_id is 'The user who blocks.';
comment on column blocks.blocked_id is 'The user who is blocked.';
