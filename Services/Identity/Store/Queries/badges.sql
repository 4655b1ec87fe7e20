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
-- Records that users trained; returns one row for each existing account for which the session is new.
-- @session_id UUID7: As matching calls it.
-- @time_zone String: The gym's; one that the database does not know counts as UTC.
-- @day: The local date at the gym.
insert into badge_sessions (account_id, session_id, day)
select id, :session_id, day_of_badge(:start, :time_zone) from accounts where id = any(:user_ids)
order by id for key share
on conflict on constraint badge_sessions_pkey do nothing
returning account_id as user_id, day;

-- name: SessionTally :one
-- Selects the number of a user's sessions, and on which of some days they trained.
-- @sessions: The number of all sessions.
-- @days: Those of the days with at least one.
select count(*) as "sessions!", array(
  select distinct day from badge_sessions where account_id = :user_id and day between :first_day and :last_day
) as "days!" from badge_sessions where account_id = :user_id;

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
insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
select
  id, :activity_id, date_trunc('month', day_of_badge(:start, :time_zone))::date, :distance, :transaction_id, :event_id
from accounts where id = :user_id for key share
on conflict on constraint badge_activities_pkey do update
set month = excluded.month, distance_mm = excluded.distance_mm, transaction_id = excluded.transaction_id,
  event_id = excluded.event_id
where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
returning month as "month!";

-- name: NoteActivityRemoved :exec
-- Records that an activity was removed, unless a later event about it is stored.
insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
select id, :activity_id, null, 0, :transaction_id, :event_id from accounts where id = :user_id for key share
on conflict on constraint badge_activities_pkey do update
set month = null, distance_mm = 0, transaction_id = excluded.transaction_id, event_id = excluded.event_id
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
