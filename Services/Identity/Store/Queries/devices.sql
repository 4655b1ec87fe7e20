-- columns: StoredDevice: Equatable
-- A device that notifications are pushed to.
-- @session_id: The session that registered it; `nil` for one that was registered before this was stored.
-- @device_label: The label of that session; may be empty.
id, platform, registered_at, session_id,
coalesce((select sessions.device_label from sessions where sessions.id = session_id), '') as "device_label!";

-- name: RegisterDevice :one
-- Registers a device by its token, or updates it; returns no row when another user registers the token at the same
-- moment.
insert into devices as device (id, account_id, session_id, platform, token_hash, sealed_token, registered_at)
values (:device_id, :user_id, :session_id, :platform, :token_hash, :sealed_token, :now)
on conflict on constraint devices_token_hash_key do update
set platform = excluded.platform, token = null, sealed_token = excluded.sealed_token,
  registered_at = excluded.registered_at, session_id = excluded.session_id
where device.account_id = excluded.account_id
returning {{StoredDevice}};

-- name: DropSurplusDevices :exec
-- Removes the devices of an account beyond the newest `kept`.
delete from devices where id in (
  select id from devices where account_id = :user_id order by registered_at desc, id desc offset :kept
);

-- name: ReleaseToken :exec
-- Removes devices of other users with this token. Their pending pushes are cancelled.
delete from devices where token_hash = :token_hash and account_id <> :user_id;

-- name: DropDevice :one
-- Removes a device of an account; returns no row when it has no such device.
delete from devices where id = :device_id and account_id = :user_id returning id;

-- name: DropDevicesOfSession :exec
-- Removes the devices that a session registered last, after it was ended: a statement of its own, which sees those that
-- were registered while the end waited ([ID-62]).
delete from devices where session_id = :session_id;

-- name: DropDevicesOfOthers :exec
-- Removes the devices of an account that one session did not register, after the other sessions were ended ([ID-62]).
-- @kept_id SessionID: `nil` to remove all.
delete from devices where account_id = :user_id and (session_id is null or session_id is distinct from :kept_id?);

-- name: DropGoneDevice :exec
-- Removes a device whose token the gateway reports as gone, with its pending pushes; a device with a replaced token
-- stays ([ID-62]).
delete from devices where id = :device_id and token_hash = :token_hash;

-- name: DevicesBefore :many
-- Selects a page of a user's devices, most recently registered first.
-- @before_time: When the last device of the previous page was registered; `nil` for the first page.
-- @before_id DeviceID: That device.
select {{StoredDevice}} from devices
where account_id = :user_id
  and (:before_time?::timestamptz is null or (registered_at, id) < (:before_time?::timestamptz, :before_id?::uuid))
order by registered_at desc, id desc limit :limit;

-- name: DevicesToSeal :many
-- Selects devices whose tokens are not sealed with the current key, after a given one, in the order of their ids; each
-- with its token as stored: plain, or sealed with an earlier key.
-- @prefix: The prefix of every text that is sealed with the current key.
-- @after DeviceID
select id, token_hash, token as plain_token, sealed_token from devices
where (sealed_token is null or substr(sealed_token, 1, octet_length(:prefix::bytea)) <> :prefix) and id > :after
order by id limit :limit;

-- name: SealDevice :exec
-- Replaces the stored token of a device by a newly sealed one.
update devices set sealed_token = :sealed_token, token = null where id = :device_id and token_hash = :token_hash;
