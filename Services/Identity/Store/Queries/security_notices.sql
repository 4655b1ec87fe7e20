-- name: InsertSecurityNotice :exec
-- Queues a mail that tells the owner of an account what happened to it, sent after the commit to the address that the
-- account has now, or to a given one ([ID-16]).
-- @kind SecurityNoticeKind
-- @recipient: `nil` for the account's address.
-- @session_id: The session that did it; `nil` for none.
-- @email_change_id: The change that a link in the mail undoes; `nil` for no link.
with mail as (
  insert into deliveries (id, account_id, channel, content, recipient, email_change_id, urgency, created_at, due_at)
  select
    :delivery_id, id, 'MAIL', 'SECURITY_NOTICE', coalesce(:recipient?::text, email), :email_change_id?, 0, :now, :now
  from accounts where id = :user_id
  returning id
)
insert into security_notices (delivery_id, kind, address, device_label, detail, occurred_at)
select
  id, :kind, left(:address, 100),
  coalesce((select device_label from sessions where sessions.id = :session_id?), ''), left(:detail, 320), :now
from mail;

-- name: NoteDevice :one
-- Records a login from a device, and returns whether it was not known while others were ([ID-16]).
-- @device_hash: SHA-256 of what the device is recognised by.
with known as (
  select exists (select from known_devices where account_id = :user_id) as has_any
), noted as (
  insert into known_devices as device (account_id, device_hash, last_login_at)
  values (:user_id, :device_hash, :now)
  on conflict on constraint known_devices_pkey do update set last_login_at = excluded.last_login_at
  -- A row that was inserted, not updated, has no previous version.
  returning device.xmax = 0 as is_new
)
select noted.is_new and known.has_any as "is_unknown!" from noted cross join known;

-- name: DropSurplusKnownDevices :exec
-- Removes the known devices of an account beyond those that were logged in from last.
delete from known_devices where account_id = :user_id and device_hash in (
  select device_hash from known_devices where account_id = :user_id and device_hash <> :unknown_hash
  order by last_login_at desc, device_hash offset :kept
);
