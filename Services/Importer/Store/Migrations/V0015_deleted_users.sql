create table deleted_users (
  user_id uuid not null,
  deleted_at timestamptz not null,
  constraint deleted_users_pkey primary key (user_id)
);

create index deleted_users_deleted_at on deleted_users (deleted_at);

comment on table deleted_users is
'Users whose accounts were deleted a while ago: what a call of theirs that was under way brings is not stored (C-9).';
comment on column deleted_users.user_id is 'The user.';
comment on column deleted_users.deleted_at is 'When the service learned of it.';
