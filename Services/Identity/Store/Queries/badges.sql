-- columns: StoredBadge: Equatable
-- A stored badge.
-- @kind: The name of a kind; may be unknown to this version after a downgrade.
kind, awarded_at;

-- fragment: badges_listed(column, account)
-- An array of one column of a user's badges, most recently awarded first; `account` is an expression for the user's
-- id.
array(
  select badges.{{column}} from badges where badges.account_id = {{account}} order by awarded_at desc, kind
);

-- name: AwardBadges :many
-- Awards badges to a user; returns one row for each that they did not have ([ID-64]).
-- @badges [Badge]
insert into badges (account_id, kind, awarded_at)
-- Inserted in the order of the keys, so that two transactions that award the same badges do not deadlock. Waits for a
-- concurrent deletion of the account, after which nothing is inserted.
select accounts.id, kind, :now from accounts cross join unnest(:badges::text[]) as kind
where accounts.id = :user_id order by kind for key share of accounts
on conflict on constraint badges_pkey do nothing
returning kind;

-- name: BadgesOf :many
-- Selects a user's badges, most recently awarded first.
select {{StoredBadge}} from badges where account_id = :user_id order by awarded_at desc, kind;

-- name: NoteSession :many
-- Records that users trained; returns one row for each existing account for which the session is new, and overlaps none that counts.
-- @session_id UUID7: As matching calls it.
-- @ends_at Instant: The end of its slot, not before the start.
-- @time_zone String: The gym's; one that the database does not know counts as UTC.
-- @day: The local date at the gym.
insert into badge_sessions (account_id, session_id, day, slot)
select id, :session_id, day_of_badge(:start, :time_zone), tstzrange(:start, :ends_at) from accounts
where id = any(:user_ids) and not exists (
  select from badge_sessions as other where other.account_id = accounts.id and other.slot && tstzrange(:start, :ends_at)
)
order by id for key share
on conflict on constraint badge_sessions_pkey do nothing
returning account_id as user_id, day;

-- name: SuccessfulSessions :one
-- Counts a user's successful sessions.
select count(*) as "sessions!" from badge_sessions where account_id = :user_id;

-- name: NoteWorkoutLog :one
-- Records that a user logged a workout; returns no row when it is recorded already, or there is no such account.
-- @day: The local date in the zone of the user's profile.
insert into badge_workouts (account_id, log_id, day)
select accounts.id, :log_id, day_of_badge(:start, profiles.time_zone)
from accounts join profiles on profiles.account_id = accounts.id
where accounts.id = :user_id for key share of accounts
on conflict on constraint badge_workouts_pkey do nothing
returning account_id as user_id, day as "day!";

-- name: NoteWorkoutLogDeleted :exec
-- Records that a log was deleted, whether or not it is recorded that it was stored.
insert into badge_workouts (account_id, log_id, day) select id, :log_id, null from accounts where id = :user_id
for key share
on conflict on constraint badge_workouts_pkey do update set day = null;

-- name: LoggedWorkouts :one
-- Counts the workouts that a user has logged and not deleted.
select count(*) as "workouts!" from badge_workouts where account_id = :user_id and day is not null;

-- name: TrainingDays :many
-- Selects the days on which users trained, in whatever way, near given days.
-- @user_ids: Parallel to the days.
-- @reach: How many days before and after each are looked at.
select distinct wanted.user_id as "user_id!", trained.day as "day!"
from unnest(:user_ids::uuid[], :days::date[]) as wanted (user_id, day)
cross join lateral (
  select day from badge_sessions
  where account_id = wanted.user_id and day between wanted.day - :reach::integer and wanted.day + :reach::integer
  union all
  select day from badge_workouts
  where account_id = wanted.user_id and day between wanted.day - :reach::integer and wanted.day + :reach::integer
  union all
  select day from badge_activities
  where account_id = wanted.user_id and day between wanted.day - :reach::integer and wanted.day + :reach::integer
) as trained;

-- name: NoteLentBook :one
-- Records that a user lent a book; returns no row when it is recorded already, or there is no such account.
insert into badge_books (account_id, book_id) select id, :book_id from accounts where id = :user_id for key share
on conflict on constraint badge_books_pkey do nothing
returning account_id;

-- name: LentBooks :one
-- Counts the different books that a user has lent.
select count(*) as "books!" from badge_books where account_id = :user_id;

-- name: NoteActivity :one
-- Records the importer's data of an activity, unless those of a later event are stored; returns one row if they were
-- recorded.
-- @time_zone String: The zone of the start; one that the database does not know counts as UTC.
-- @distance Distance
insert into badge_activities as known (account_id, activity_id, month, day, distance_mm, transaction_id, event_id)
select
  accounts.id, :activity_id, date_trunc('month', started.day)::date, started.day, :distance, :transaction_id, :event_id
from accounts cross join (select day_of_badge(:start, :time_zone) as day) as started
where accounts.id = :user_id for key share of accounts
on conflict on constraint badge_activities_pkey do update
set month = excluded.month, day = excluded.day, distance_mm = excluded.distance_mm,
  transaction_id = excluded.transaction_id, event_id = excluded.event_id
where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
returning month as "month!", day as "day!";

-- name: NoteActivityRemoved :exec
-- Records that an activity was removed, unless a later event about it is stored.
insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
select id, :activity_id, null, 0, :transaction_id, :event_id from accounts where id = :user_id for key share
on conflict on constraint badge_activities_pkey do update
set month = null, day = null, distance_mm = 0, transaction_id = excluded.transaction_id, event_id = excluded.event_id
where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id);

-- name: DistanceInMonth :one
-- Selects the distance of a user's activities in a month.
-- @month: Its first day.
-- @distance Distance
select coalesce(sum(distance_mm), 0)::bigint as "distance!" from badge_activities
where account_id = :user_id and month = :month;

-- name: ForgetActivityPositions :exec
-- Resets the stored log positions of all activities, so that the next event of each counts, as the importer's log may
-- have been replaced.
update badge_activities set transaction_id = '0', event_id = 0 where transaction_id > '0';
