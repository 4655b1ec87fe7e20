-- columns: StoredPasskey: Equatable
-- @algorithm: The COSE number of the algorithm.
-- @last_used_at: `nil` until the first login with it.
id, account_id as user_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at;

-- name: InsertChallenge :exec
-- Stores a challenge that is issued.
-- @user_id: The user who may add a passkey with it; `nil` for a login.
insert into passkey_challenges (challenge_hash, account_id, created_at) values (:challenge_hash, :user_id?, :now);

-- name: UseChallenge :one
-- Uses up a challenge, and returns whether it had not expired; no row if it was not issued for this purpose or was used
-- before.
-- @user_id: `nil` for a login.
delete from passkey_challenges
where challenge_hash = :challenge_hash and account_id is not distinct from :user_id?
returning created_at > :issued_after as "is_valid!";

-- name: InsertPasskey :one
-- Adds a passkey; no row if its credential id is registered already.
insert into passkeys (
  id, account_id, credential_id, algorithm, public_key, sign_count, name, created_at, last_used_at
) values (
  :passkey_id, :user_id, :credential_id, :algorithm, :public_key, :sign_count, :name, :created_at, :last_used_at?
)
on conflict on constraint passkeys_credential_id_key do nothing
returning id;

-- name: PasskeysOf :many
-- The passkeys of an account, the oldest first.
select {{StoredPasskey}} from passkeys where account_id = :user_id order by id;

-- name: PasskeyByCredential :one
-- The passkey with a credential id.
select {{StoredPasskey}} from passkeys where credential_id = :credential_id;

-- name: CountPasskeyLogin :one
-- Records a login with a passkey; no row if its counter did not increase, or the passkey was removed.
update passkeys set sign_count = :sign_count, last_used_at = :now
where id = :passkey_id and (:sign_count > sign_count or (sign_count = 0 and :sign_count = 0))
returning id;

-- name: DeletePasskeyRow :one
-- Removes a passkey of an account and returns its name; no row if it has no such passkey.
delete from passkeys where id = :passkey_id and account_id = :user_id returning name;

-- name: DeleteExpiredChallenges :many
-- Removes challenges that have expired.
delete from passkey_challenges where challenge_hash in (
  select challenge_hash from passkey_challenges where created_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
