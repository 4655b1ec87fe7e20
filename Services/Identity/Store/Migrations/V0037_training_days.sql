-- Streaks count every kind of training, and logged workouts have badges of their own (ID-64).

alter table badge_activities add column day date;
alter table badge_activities add constraint badge_activities_day_in_month check (
  day is null or (month is not null and date_trunc('month', day::timestamp)::date = month)
) not valid;
-- squawk-ignore require-concurrent-index-creation
create index badge_activities_day_idx on badge_activities (account_id, day) where day is not null;

comment on column badge_activities.day is
'The day on which it started where it started; null when it was removed, or was counted before days were.';

create table badge_workouts (
  account_id uuid not null,
  log_id uuid not null,
  day date,
  constraint badge_workouts_pkey primary key (account_id, log_id),
  constraint badge_workouts_account_fkey foreign key (account_id) references accounts (id) on delete cascade
);

create index badge_workouts_day_idx on badge_workouts (account_id, day) where day is not null;

comment on table badge_workouts is
'The workouts that the catalog said users logged: one that is told again is there already, and one that was deleted '
'does not come back.';
comment on column badge_workouts.account_id is 'Who trained.';
comment on column badge_workouts.log_id is 'The catalog''s id of the log.';
comment on column badge_workouts.day is
'The day on which it began in the zone of the user''s profile; null once the log was deleted.';
