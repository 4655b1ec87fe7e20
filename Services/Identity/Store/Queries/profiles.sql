-- columns: ProfileColumns as StoredProfile
-- The columns of a row of profiles and its account.
-- @phone: Empty if the user has not set one.
accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
time_zone, phone, contact_visibility, revision, created_at, updated_at,
{{badges_listed(kind, accounts.id)}} as "badge_kinds!", {{badges_listed(awarded_at, accounts.id)}} as "badge_times!",
(select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id;

-- fragment: share_group(one, other)
-- True if two users are members of the same group, by expressions for their ids.
exists (
  select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
  where own.account_id = {{one}} and theirs.account_id = {{other}}
);

-- name: InsertProfile :one
-- Adds a user's profile; no row if there is one.
with added as (
  insert into profiles
    (account_id, gender, date_of_birth, level, interests, strengths, time_zone, phone, contact_visibility,
      created_at, updated_at)
  values (
    :user_id, :gender, :date_of_birth, :level, :interests, :strengths, :time_zone, :phone, :contact_visibility,
    :now, :now
  )
  on conflict on constraint profiles_pkey do nothing
  returning *
)
select {{ProfileColumns}} from added join accounts on accounts.id = added.account_id;

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

-- name: LockedProfile :one
-- A user's own profile, which is locked for a change.
select {{ProfileColumns}} from profiles join accounts on accounts.id = profiles.account_id
where profiles.account_id = :user_id
for update of profiles;

-- name: ReplaceProfile :one
-- Replaces the fields of a profile that the transaction has locked, and increments its revision.
update profiles
set gender = :gender, date_of_birth = :date_of_birth, level = :level, interests = :interests, strengths = :strengths,
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
-- What training sessions are matched by, of those of some users who have profiles ([MA-3]).
select account_id as user_id, gender, level, updated_at from profiles where account_id = any(:user_ids::uuid[]);
