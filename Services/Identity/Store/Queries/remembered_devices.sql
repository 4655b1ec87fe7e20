-- name: RememberedDevice :one
-- The device that a token was issued to, and its account; no row if the device is unknown, or was forgotten.
select id, account_id as user_id from remembered_devices where token_hash = :token_hash and expires_at > :now;

-- name: UseRememberedDevice :one
-- Records a login from a device, which is thereby remembered for longer; no row if it was forgotten meanwhile.
update remembered_devices
set session_id = :session_id, last_used_at = greatest(:now, created_at),
  expires_at = greatest(:expires_at, expires_at)
where id = :remembered_device_id and account_id = :user_id
returning id;

-- name: RememberDevice :exec
-- Remembers a new device of an account that the transaction has locked, and forgets those that were used least recently
-- beyond a number.
-- @kept: How many others the account keeps.
with forgotten as (
  delete from remembered_devices where id in (
    select id from remembered_devices where account_id = :user_id order by last_used_at desc, id desc offset :kept
  )
)
insert into remembered_devices (id, account_id, token_hash, session_id, created_at, last_used_at, expires_at)
values (:remembered_device_id, :user_id, :token_hash, :session_id, :now, :now, :expires_at);

-- name: ForgetDevices :exec
-- Forgets the devices of an account, but that of one session.
-- @kept_id SessionID: `nil` to forget all.
delete from remembered_devices where account_id = :user_id and session_id is distinct from :kept_id?;

-- name: ForgetDeviceOfSession :exec
-- Forgets the device whose last login began a session.
delete from remembered_devices where session_id = :session_id and account_id = :user_id;

-- name: DeleteExpiredDevices :many
-- Removes devices that have not been logged in from for a year.
delete from remembered_devices where id in (
  select id from remembered_devices where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
