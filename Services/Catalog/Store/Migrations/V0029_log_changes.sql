-- Changes of workout logs since a token (C-11).
--
-- Logs are few enough to be looked at while writers wait.
-- squawk-ignore-file constraint-missing-not-valid

alter table users add column log_changes bigint not null default 0;
comment on column users.log_changes is 'As changes, for the user''s workout logs (C-11).';

alter table workout_logs add column change bigint;
update workout_logs set change = numbered.place
from (
  select
    id,
    row_number() over (partition by owner_id order by id) as place
  from workout_logs
) as numbered
where numbered.id = workout_logs.id;
update users set log_changes = counted.logs
from (
  select
    owner_id,
    count(*) as logs
  from workout_logs
  group by owner_id
) as counted
where counted.owner_id = users.id;
alter table workout_logs add constraint workout_logs_change_present check (change is not null) not valid;
alter table workout_logs validate constraint workout_logs_change_present;
comment on column workout_logs.change is 'The number of the change of the user''s logs that stored it.';

-- squawk-ignore require-concurrent-index-creation
create unique index workout_logs_change_idx on workout_logs (owner_id, change);

create table deleted_workout_logs (
  owner_id uuid not null,
  change bigint not null,
  log_id uuid not null,
  deleted_at timestamptz not null,
  constraint deleted_workout_logs_pkey primary key (owner_id, change),
  constraint deleted_workout_logs_owner_fkey foreign key (owner_id) references users (id)
);

comment on table deleted_workout_logs is 'Workout logs that users have deleted, for clients that keep them (C-11).';
comment on column deleted_workout_logs.owner_id is 'Whose it was.';
comment on column deleted_workout_logs.change is 'The number of the change of the user''s logs that deleted it.';
comment on column deleted_workout_logs.log_id is 'The log.';
comment on column deleted_workout_logs.deleted_at is 'When it was deleted.';
