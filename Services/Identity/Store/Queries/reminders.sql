-- columns: ReminderColumns as StoredReminder
-- @time LocalTime
-- @weekdays Weekdays
-- @state ReminderPlan.State
-- @last_day: The local date on which it last reminded, or was too late to do so.
-- @due_at: The time of the next reminder; `nil` if none is scheduled.
reminder.minute_of_day as time, reminder.weekdays, reminder.state, profiles.time_zone, reminder.last_day, jobs.due_at;

-- name: ReminderOf :one
-- A user's reminder; no row if they never set one.
select {{ReminderColumns}}
from reminders as reminder
join profiles on profiles.account_id = reminder.account_id
left join jobs
  on jobs.kind = 'gym_reminder' and jobs.key = reminder.account_id::text and jobs.dead_at is null
where reminder.account_id = :user_id;

-- name: SetReminder :exec
-- Sets a user's reminder; their account must be verified.
-- @time LocalTime
-- @weekdays Weekdays
-- @state ReminderPlan.State
insert into reminders (account_id, minute_of_day, weekdays, state) values (:user_id, :time, :weekdays, :state)
on conflict on constraint reminders_pkey do update
set minute_of_day = excluded.minute_of_day, weekdays = excluded.weekdays, state = excluded.state;

-- name: ReminderToGive :one
-- The time of a user's reminder and the current date in their zone; no row if they have none or it is off.
-- @time LocalTime
select reminder.minute_of_day as time, (:now::timestamptz at time zone profiles.time_zone)::date as "today!"
from reminders as reminder join profiles on profiles.account_id = reminder.account_id
where reminder.account_id = :user_id and reminder.state = 'ON';

-- name: NoteReminder :exec
-- Records the local date of a reminder that was sent, or is obsolete.
update reminders set last_day = :day where account_id = :user_id;
