-- name: LockedMember :one
-- Locks the row of a user who posts, joins or cancels, before any session's: so a user's own requests wait for each other, and no account
-- deletion is stored until the transaction ends. No row for an unknown user.
-- @bar_ends_at: The latest end of the bars in force; `nil` if the user is not barred.
select
  not deleted as "may_write!", gender, level,
  (select max(ends_at) from bars where bars.user_id = users.id and lifted_at is null and ends_at > :now) as bar_ends_at
from users where id = :user_id
for no key update of users;

-- name: LockUser :one
-- Locks the row of a user until the transaction ends, and reads nothing: what is read next is read once the lock is held.
select id from users where id = :user_id for no key update;

-- name: LockUsers :many
-- Locks the rows of some users, in the order of ids, until the transaction ends.
select id from users where id = any(:user_ids::uuid[]) order by id for no key update;

-- name: LockParticipants :many
-- Locks the rows of a session's participants, in the order of their ids, before the session's.
select id from users
where id in (select unnest(array[owner_id, partner_id]) from sessions where sessions.id = :session_id)
order by id for no key update;

-- name: EnterUser :exec
-- Creates the row of an unknown user.
insert into users (id) values (:user_id) on conflict on constraint users_pkey do nothing;

-- name: KnownProfile :one
-- What is known of a user's profile; no row for an unknown user. One that must be looked up again counts as unknown.
-- @gender Gender
-- @level Level
-- @bar_ends_at: The latest end of the bars in force; `nil` if the user is not barred.
select
  deleted, case when profile_at > '-infinity' then gender end as gender,
  case when profile_at > '-infinity' then level end as level,
  (select max(ends_at) from bars where bars.user_id = users.id and lifted_at is null and ends_at > :now) as bar_ends_at
from users where id = :user_id;

-- name: PutProfiles :exec
-- Stores what matching needs of profiles, each user at most once; an older state does not replace a newer one.
insert into users (id, gender, level, profile_at)
select id, gender, level, profile_at
from unnest(:user_ids::uuid[], :genders::text[], :levels::text[], :times::timestamptz[])
  as reported (id, gender, level, profile_at)
order by id
on conflict on constraint users_pkey do update
set gender = excluded.gender, level = excluded.level, profile_at = excluded.profile_at
where not users.deleted and (users.profile_at is null or users.profile_at < excluded.profile_at);

-- name: ForgetProfiles :one
-- Makes some profiles be looked up again, after events about profiles were missed, in the order of their users' ids; returns the last of these users,
-- or no row after the last of all. What was known stays until then, for repetitions, offers of places and saved searches, which ask nobody.
-- @after_user_id UserID: The last user of the previous run.
with looked_at as materialized (
  select id from users where id > :after_user_id::uuid order by id limit :limit for no key update
), forgotten as (
  update users set profile_at = '-infinity' from looked_at
  where users.id = looked_at.id and users.profile_at > '-infinity'
)
select id from looked_at order by id desc limit 1;

-- name: StorageOfUser :one
-- How much is stored of a user for sessions to come, as it is counted before more is stored.
select
  (select count(*) from sessions where owner_id = :user_id and state = 'OPEN' and starts_at > :now) as "open_posts!",
  (select count(*) from saved_searches where user_id = :user_id) as "saved_searches!",
  (select count(*) from repetitions where user_id = :user_id) as "repetitions!",
  (select count(*) from waiting_list where user_id = :user_id and starts_at > :now) as "waiting_lists!";

-- name: MarkAccountDeleted :exec
-- Marks a user's account as deleted ([C-9]). Only the id stays, with the mark that sessions and feedback must be cleaned up.
insert into users (id, deleted, cleaned_up) values (:user_id, true, false)
on conflict on constraint users_pkey do update
set
  username = '', deleted = true, cleaned_up = false, gender = null, level = null, profile_at = null, rating_count = 0,
  rating_sum = 0, attended = 0, missed = 0;

-- name: UserToCleanUp :one
-- A user who deleted the account and is not cleaned up yet, locked before the sessions are; no row if there is none. One by
-- chance, so that none waits for ever behind one whose cleanup fails.
select id from users where not cleaned_up order by random() limit 1 for no key update;

-- name: MarkCleanedUp :exec
-- Marks the cleanup of a user who deleted the account as finished.
update users set cleaned_up = true where id = :user_id;

-- name: MatchingProfileOf :one
-- A user's reputation ([MA-11]); no row for an unknown user.
-- @is_blocked: Whether one of user and viewer has blocked the other.
select
  username, deleted, rating_count, rating_sum, attended, missed,
  {{blocked(:user_id::uuid, :viewer_id::uuid)}} as "is_blocked!"
from users where id = :user_id;

-- name: AdjectivesOf :many
-- How often each adjective was given to a user, the most frequent first.
select word as "word!", count(*) as "count!"
from feedback cross join lateral unnest(adjectives) as given (word)
where recipient_id = :user_id
group by word order by count(*) desc, word;
