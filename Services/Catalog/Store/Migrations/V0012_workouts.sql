-- Curated workouts, people's own, what they trained, and links to workouts.

alter table people add column workouts integer not null default 0;
alter table people add column workout_changes bigint not null default 0;
alter table people add column workout_logs integer not null default 0;
alter table people add constraint people_workouts_limit check (workouts between 0 and 500) not valid;
alter table people add constraint people_workout_logs_limit check (workout_logs between 0 and 20000) not valid;

comment on column people.workouts is 'How many workouts the person has that are not deleted.';
comment on column people.workout_changes is 'As changes, for the person''s workouts (C-11).';
comment on column people.workout_logs is 'How many logs of workouts the person has.';

create table workouts (
  id uuid not null,
  owner_id uuid,
  curated_key text,
  name text not null,
  description text not null,
  muscle_groups text[] not null,
  trained text[] not null,
  level text not null default '',
  words tsvector not null,
  names text not null,
  revision bigint not null default 1,
  change bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint workouts_pkey primary key (id),
  constraint workouts_owner_fkey foreign key (owner_id) references people (id),
  constraint workouts_curated_key unique (curated_key),
  constraint workouts_change_key unique (owner_id, change),
  constraint workouts_owned_or_curated check ((owner_id is null) <> (curated_key is null)),
  constraint workouts_change_counted check ((owner_id is null) = (change is null)),
  constraint workouts_name_present check (name <> ''),
  constraint workouts_revision_positive check (revision > 0)
);

create index workouts_owner_idx on workouts (owner_id, id) where deleted_at is null;
create index workouts_curated_idx on workouts (names collate "C", id) where owner_id is null and deleted_at is null;

comment on table workouts is 'Curated workouts (CA-11) and people''s own (CA-12).';
comment on column workouts.id is 'UUIDv7, made by the service.';
comment on column workouts.owner_id is 'Whose it is; null for a curated one.';
comment on column workouts.curated_key is 'What the file of curated workouts calls it; null for somebody''s own.';
comment on column workouts.name is 'What it is called.';
comment on column workouts.description is 'What is said about it; may be empty.';
comment on column workouts.muscle_groups is 'What its owner says that it trains.';
comment on column workouts.trained is 'That, and the groups of its exercises: by which it is found (CA-13).';
comment on column workouts.level is 'Of curated ones, BEGINNER for example; may be empty.';
comment on column workouts.words is 'The words that are searched, made by the service.';
comment on column workouts.names is 'The words of name and muscle groups, which misspelt keywords are compared with.';
comment on column workouts.revision is 'Goes up by one with every change of it and of its entries; the etag.';
comment on column workouts.change is 'The owner''s people.workout_changes at the last change.';
comment on column workouts.created_at is 'When it was made.';
comment on column workouts.updated_at is 'When it was last changed.';
comment on column workouts.deleted_at is
'When its owner deleted it; null while it is there. The row stays, without its entries, so that the owner''s other '
'devices learn of it (C-11).';

create table workout_entries (
  id uuid not null,
  workout_id uuid not null,
  place smallint not null,
  exercise_id uuid not null,
  sets smallint not null,
  reps smallint not null,
  duration_s integer not null,
  weight_g integer,
  rest_s smallint not null,
  note text not null,
  constraint workout_entries_pkey primary key (id),
  constraint workout_entries_workout_fkey foreign key (workout_id) references workouts (id) on delete cascade,
  constraint workout_entries_exercise_fkey foreign key (exercise_id) references exercises (id),
  constraint workout_entries_place_key unique (workout_id, place),
  constraint workout_entries_place_limit check (place between 1 and 50),
  constraint workout_entries_sets_range check (sets between 1 and 50),
  constraint workout_entries_reps_range check (reps between 0 and 1000),
  constraint workout_entries_duration_range check (duration_s between 0 and 36000),
  constraint workout_entries_effort_present check (reps > 0 or duration_s > 0),
  constraint workout_entries_weight_range check (weight_g between 0 and 1000000),
  constraint workout_entries_rest_range check (rest_s between 0 and 3600)
);

create index workout_entries_exercise_idx on workout_entries (exercise_id);

comment on table workout_entries is 'Exercises of workouts; a workout has at most 50, for it has no more places.';
comment on column workout_entries.id is 'UUIDv7, made by the service.';
comment on column workout_entries.workout_id is 'The workout that it is in.';
comment on column workout_entries.place is 'Its place in the workout, from 1; no two have the same.';
comment on column workout_entries.exercise_id is 'What is to be done.';
comment on column workout_entries.sets is 'How many sets.';
comment on column workout_entries.reps is 'Repetitions of each set; 0 where it is held for a time.';
comment on column workout_entries.duration_s is
'Seconds that each set is held; 0 where it is counted in repetitions.';
comment on column workout_entries.weight_g is 'In grams; null where none is planned.';
comment on column workout_entries.rest_s is 'Seconds between sets.';
comment on column workout_entries.note is 'May be empty.';

create table workout_logs (
  id uuid not null,
  owner_id uuid not null,
  workout_id uuid,
  name text not null,
  note text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  constraint workout_logs_pkey primary key (id),
  constraint workout_logs_owner_key unique (id, owner_id),
  constraint workout_logs_owner_fkey foreign key (owner_id) references people (id),
  constraint workout_logs_workout_fkey foreign key (workout_id) references workouts (id) on delete set null,
  constraint workout_logs_name_present check (name <> ''),
  constraint workout_logs_end_after_start check (ended_at >= started_at)
);

create index workout_logs_owner_idx on workout_logs (owner_id, started_at, id);
create index workout_logs_workout_idx on workout_logs (workout_id) where workout_id is not null;

comment on table workout_logs is 'What people trained (CA-14).';
comment on column workout_logs.id is 'UUIDv7, made by the service.';
comment on column workout_logs.owner_id is 'Who trained.';
comment on column workout_logs.workout_id is 'What was trained; null for no workout, or one that is gone for good.';
comment on column workout_logs.name is 'What it is called.';
comment on column workout_logs.note is 'May be empty.';
comment on column workout_logs.started_at is 'When it began, as the person says.';
comment on column workout_logs.ended_at is 'When it ended; null if nobody knows.';
comment on column workout_logs.created_at is 'When it was kept.';

create table logged_sets (
  log_id uuid not null,
  place smallint not null,
  owner_id uuid not null,
  exercise_id uuid not null,
  reps smallint not null,
  weight_g integer not null,
  duration_s integer not null,
  constraint logged_sets_pkey primary key (log_id, place),
  constraint logged_sets_log_fkey foreign key (log_id, owner_id)
  references workout_logs (id, owner_id) on delete cascade,
  constraint logged_sets_exercise_fkey foreign key (exercise_id) references exercises (id),
  constraint logged_sets_place_limit check (place between 1 and 200),
  constraint logged_sets_reps_range check (reps between 0 and 1000),
  constraint logged_sets_weight_range check (weight_g between 0 and 1000000),
  constraint logged_sets_duration_range check (duration_s between 0 and 36000),
  constraint logged_sets_effort_present check (reps > 0 or duration_s > 0)
);

create index logged_sets_owner_idx on logged_sets (owner_id, exercise_id);
create index logged_sets_exercise_idx on logged_sets (exercise_id);

comment on table logged_sets is 'Sets that were done; a log has at most 200, for it has no more places.';
comment on column logged_sets.log_id is 'The log that tells of it.';
comment on column logged_sets.place is 'Its place in the log, from 1.';
comment on column logged_sets.owner_id is 'Who did it: the log''s owner, by whom progress is looked up.';
comment on column logged_sets.exercise_id is 'What was done.';
comment on column logged_sets.reps is '0 for a set that was held for a time.';
comment on column logged_sets.weight_g is 'In grams; 0 without a weight.';
comment on column logged_sets.duration_s is 'Seconds that it was held; 0 for one that was counted in repetitions.';

create table workout_shares (
  id uuid not null,
  workout_id uuid not null,
  place smallint not null,
  owner_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  constraint workout_shares_pkey primary key (id),
  constraint workout_shares_token_key unique (token_hash),
  constraint workout_shares_place_key unique (workout_id, place),
  constraint workout_shares_workout_fkey foreign key (workout_id) references workouts (id) on delete cascade,
  constraint workout_shares_owner_fkey foreign key (owner_id) references people (id),
  constraint workout_shares_place_limit check (place between 1 and 20),
  constraint workout_shares_hash_length check (octet_length(token_hash) = 32)
);

create index workout_shares_owner_idx on workout_shares (owner_id);

comment on table workout_shares is
'Links by which anybody reads a workout (CA-15); a workout has at most 20, for it has no more places.';
comment on column workout_shares.id is 'UUIDv7, made by the service.';
comment on column workout_shares.workout_id is 'The workout that it leads to.';
comment on column workout_shares.place is 'From 1; the lowest that was free.';
comment on column workout_shares.owner_id is 'Whose workout it is.';
comment on column workout_shares.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
comment on column workout_shares.created_at is 'When it was made.';

create table share_misses (
  address_hash bytea not null,
  window_ends_at timestamptz not null,
  misses integer not null,
  constraint share_misses_pkey primary key (address_hash),
  constraint share_misses_hash_length check (octet_length(address_hash) = 32),
  constraint share_misses_counted check (misses > 0)
);

create index share_misses_ends_idx on share_misses (window_ends_at);

comment on table share_misses is
'How many links that lead nowhere were tried from an address, so that nobody finds one by trying (CA-15).';
comment on column share_misses.address_hash is 'SHA-256 of the client''s address: no stranger''s address is kept.';
comment on column share_misses.window_ends_at is 'From when on the row means nothing.';
comment on column share_misses.misses is 'How many within the window.';
