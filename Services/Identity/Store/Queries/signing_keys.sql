-- columns: StoredSigningKey
-- A stored signing key.
-- @sealed_private_key: Can be opened only with the service's seal key.
id, public_key, sealed_private_key, created_at;

-- name: SigningKeys :many
-- All signing keys, the newest first.
select {{StoredSigningKey}} from signing_keys order by created_at desc, id;

-- name: LockSigningKeys :exec
-- Keeps other replicas from changing the keys until the transaction ends.
select from pg_advisory_xact_lock(hashtextextended('signing keys of identity', 0));

-- name: InsertSigningKey :exec
-- Stores a new key.
insert into signing_keys (id, public_key, sealed_private_key, created_at)
values (:id, :public_key, :sealed_private_key, :created_at);

-- name: DeleteSigningKeys :exec
-- Removes keys.
delete from signing_keys where id = any(:ids);
