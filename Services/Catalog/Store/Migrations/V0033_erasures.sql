create table erasures (
  user_id uuid not null,
  constraint erasures_pkey primary key (user_id)
);

comment on table erasures is
'Users who deleted their accounts and of whom books, comments, logs or workouts may be left: no user sees them, and '
'they are removed in parts (C-9).';
comment on column erasures.user_id is 'The user.';
