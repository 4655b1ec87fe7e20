-- Reminders come by jobs: the time of the next one is that of the job, and no more the reminder's own.

insert into jobs (
  id, kind, key, payload, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day, created_at
)
select
  gen_random_uuid() as id, 'gym_reminder' as kind, reminder.account_id::text as key,
  convert_to(reminder.account_id::text, 'UTF8') as payload, upcoming.due_at, upcoming.due_at as ready_at,
  reminder.minute_of_day as repeat_minute, chosen.mask as repeat_weekdays, profiles.time_zone as repeat_zone,
  upcoming.day as repeat_day, now() as created_at
from reminders as reminder
inner join profiles on reminder.account_id = profiles.account_id
cross join
  lateral (
    select sum(1 << (days.number - 1))::integer as mask from unnest(reminder.weekdays) as days (number)
  ) as chosen
-- One that is due and was not given is still to come.
cross join
  lateral job_next(
    coalesce(reminder.last_day, '0001-01-01'), least(now(), reminder.due_at - interval '1 second'),
    reminder.minute_of_day, chosen.mask, profiles.time_zone
  ) as upcoming
where reminder.state = 'ON';

-- Its index and the constraint that it shares with the state go with it.
-- squawk-ignore ban-drop-column
alter table reminders drop column due_at;

comment on table reminders is
'Daily reminders to train, in the time zone of the profile (ID-63). For each that is ON there is a job gym_reminder, '
'keyed by the account, that repeats by the same plan and zone.';
