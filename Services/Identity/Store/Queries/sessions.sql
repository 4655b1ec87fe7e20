-- name: InsertSession :exec
-- Adds a session.
-- @proved_at: When the user authenticated; `nil` for now.
insert into sessions
  (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at, proved_at)
values (
  :session_id, :user_id, :family_hash, :refresh_hash, :device_label, :address, :now, :now, :expires_at, :proved_at?
);

-- name: SurplusSessions :many
-- The sessions of an account beyond those that were used last: they have not ended yet, and there are too many.
select id from sessions
where account_id = :user_id and revoked_at is null and expires_at > :now
order by last_used_at desc, created_at desc, id desc offset :kept limit 100;

-- name: SessionByFamily :one
-- The session that a refresh token belongs to, whether the token is its current one or not: what decides on using the
-- token.
select
  id, account_id as user_id, refresh_hash as current_hash, previous_hash, rotation_request_id, created_at,
  last_used_at, revoked_at
from sessions where family_hash = :family_hash;

-- name: RotateSession :one
-- Replaces a session's refresh token if it is still the given one; no row if another use came first ([ID-6]).
update sessions
set refresh_hash = :new_hash, previous_hash = refresh_hash, rotation_request_id = :request_id?, address = :address,
  last_used_at = greatest(:now, created_at), expires_at = greatest(:expires_at, expires_at)
where id = :session_id and refresh_hash = :old_hash and revoked_at is null
returning id;

-- name: HoldSessionOwner :one
-- Keeps the account of a session from being deleted until the transaction ends; no row if both are deleted.
select id from accounts where id = (select account_id from sessions where id = :session_id) for key share;

-- name: LivingSession :one
-- A session of an account; no row if there is none, or it has ended.
select id from sessions where id = :session_id and account_id = :user_id and revoked_at is null;

-- name: RevokeSession :one
-- Ends a session; no row if it has ended already.
update sessions
-- The database's clock: replicas find new ends by it, and their own clocks may differ.
set revoked_at = clock_timestamp() where id = :session_id and revoked_at is null
returning account_id;

-- name: RevokeSessions :many
-- Ends every session of an account but one, and drops a change of address that another session requested ([ID-15]); a
-- row for each session that had not ended before.
-- @kept_id SessionID: `nil` to end all.
with ended as (
  update sessions set revoked_at = clock_timestamp()
  where account_id = :user_id and revoked_at is null and id is distinct from :kept_id?
  returning id
), dropped as (
  delete from email_changes
  where account_id = :user_id and confirmed_at is null and session_id is distinct from :kept_id?
)
select id from ended;

-- name: RevokedSessions :many slow
-- The sessions that ended within the last seconds.
-- @topic: That of ends of sessions.
-- @since: As `seconds` ago, by the time of events.
select id as "session_id!" from sessions where revoked_at > clock_timestamp() - make_interval(secs => :seconds)
union
-- The sessions of a deleted account have no rows, but their events remain. Event times come from the services' clocks,
-- which may differ, so a longer window is read.
select key::uuid from events where topic = :topic and occurred_at > :since;

-- name: HoldSession :one
-- Keeps a session from being ended until the transaction ends; no row if it has ended.
select id from sessions where id = :session_id and account_id = :user_id and revoked_at is null for share;

-- name: SessionsBefore :many
-- A page of an account's sessions that have neither ended nor expired, the latest login first ([C-5]).
-- @before_id SessionID
-- @device_label: The client's label of the device; may be empty.
-- @address: The client's address at the last use, without its port.
select id, device_label, address, created_at, last_used_at, expires_at from sessions
where account_id = :user_id and revoked_at is null and expires_at > :now
  and (:before?::timestamptz is null or (created_at, id) < (:before?, :before_id?::uuid))
-- Ordered by login, because the time of the last use changes while a client reads further pages.
order by created_at desc, id desc limit :limit;

-- name: SessionProof :one
-- The time at which the user of a session last authenticated; no row if the session has ended.
select
  coalesce(sessions.proved_at, sessions.created_at) as "proved_at!",
  accounts.password_hash is not null as "has_password!"
from sessions join accounts on accounts.id = sessions.account_id
where sessions.id = :session_id and sessions.account_id = :user_id and sessions.revoked_at is null;

-- name: NoteSessionProof :one
-- Records that the user of a session has authenticated; no row if the session has ended.
update sessions set proved_at = :now where id = :session_id and account_id = :user_id and revoked_at is null
returning id;

-- name: DeleteEndedSessions :many
-- Removes sessions whose last refresh token has expired.
delete from sessions where id in (
  select id from sessions where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
