-- columns: ProfileColumns as StoredProfile
-- The columns of a row of profiles and its account.
-- @phone: Empty if the user has not set one.
-- @today: The date in the user's zone, by which others see an age.
accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge(:now, time_zone) as "today!",
{{badges_listed(kind, accounts.id)}} as "badge_kinds!", {{badges_listed(awarded_at, accounts.id)}} as "badge_times!",
(select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id;

-- fragment: share_group(one, other)
-- True if two users are members of the same group, by expressions for their ids.
exists (
  select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
  where own.account_id = {{one}} and theirs.account_id = {{other}}
);

-- name: ProfileByUsername :one
-- The profile of the user with a username ([ID-24]), unless one of the user and the viewer has blocked the other
-- ([C-10]).
-- @is_of_fellow: Whether the viewer shares a group with the owner.
select {{ProfileColumns}}, {{share_group(:viewer_id, accounts.id)}} as "is_of_fellow!"
from accounts join profiles on profiles.account_id = accounts.id
where lower(accounts.username) collate "C" = :username_key and {{visible_pair(accounts.id, :viewer_id)}};

-- name: ProfilesByPrefix :many slow
-- A page of the profiles whose usernames begin with a text, in their order, without those hidden from the viewer by a
-- block ([C-10]).
-- @after: The last username of the previous page, in lower case; empty for the first page.
-- @is_of_fellow: Whether the viewer shares a group with the owner.
select {{ProfileColumns}}, {{share_group(:viewer_id, accounts.id)}} as "is_of_fellow!"
from accounts join profiles on profiles.account_id = accounts.id
-- A brace sorts after every character of a username.
where lower(accounts.username) collate "C" >= :prefix and lower(accounts.username) collate "C" < :prefix || '{'
  and lower(accounts.username) collate "C" > :after and {{visible_pair(accounts.id, :viewer_id)}}
order by lower(accounts.username) collate "C" limit :limit;

-- name: LockProfile :one
-- Locks a user's own profile for a change of it or of what follows from it, and reads nothing.
select account_id as user_id from profiles where account_id = :user_id for update;

-- name: LockedProfile :one
-- A user's own profile, which is locked for a change.
select {{ProfileColumns}} from profiles join accounts on accounts.id = profiles.account_id
where profiles.account_id = :user_id
for update of profiles;

-- name: ReplaceProfile :one
-- Replaces the fields of a profile that the transaction has locked, and increments its revision.
-- @gender: `nil` without a gym part, as are date of birth and level.
update profiles
set gender = :gender?, date_of_birth = :date_of_birth?, level = :level?, interests = :interests, strengths = :strengths,
  time_zone = :time_zone, phone = :phone, contact_visibility = :contact_visibility, updated_at = :now,
  revision = revision + 1
from accounts
where profiles.account_id = :user_id and accounts.id = profiles.account_id
returning {{ProfileColumns}};

-- name: TimeZoneOfProfile :one
-- The time zone of a user's own profile.
select time_zone from profiles where account_id = :user_id;

-- name: TimeZoneNames :many slow
-- The names of all IANA time zones that the database knows.
--
-- Takes a third of a second, because the server reads a file for each: use it seldom.
select name as "name!" from pg_timezone_names where name !~ '^(posix|posixrules|localtime|Factory)';

-- name: DayInZone :one
-- The current date in a time zone that the database knows.
select (:now::timestamptz at time zone :time_zone)::date as "day!";

-- name: TraitsOfUsers :many
-- What training sessions are matched by, of those of some users whose profiles have a gym part ([MA-3], [ID-20]).
select account_id as user_id, gender as "gender!", level as "level!", updated_at from profiles
where account_id = any(:user_ids::uuid[]) and gender is not null;
