-- name: InsertAttempt :exec
-- Stores an attempt that begins.
-- @handle_hash: `nil` for an attempt of a user who is logged in.
-- @user_id: `nil` for an attempt of a browser or app.
insert into authorization_attempts
  (state_hash, handle_hash, user_id, provider, redirect_uri, sealed_secrets, created_at)
values (:state_hash, :handle_hash?, :user_id?, :provider, :redirect_uri, :sealed_secrets, :now);

-- name: UseAttempt :one
-- Uses an attempt up; no row when there is none, another owner began it, or it was used before.
-- @is_living: Whether it began after the time that was given.
delete from authorization_attempts
where state_hash = :state_hash and handle_hash is not distinct from :handle_hash?
  and user_id is not distinct from :user_id?
returning provider, redirect_uri, sealed_secrets, created_at > :begun_after as "is_living!";

-- name: DeleteExpiredAttempts :many public
-- Removes some attempts that have expired.
delete from authorization_attempts where state_hash in (
  select state_hash from authorization_attempts where created_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
