-- name: LockedVerificationRequest :one
-- The time at which a verification mail was last requested, which is locked; `nil` for the first time.
insert into verification_requests (email_hash) values (:email_hash)
-- The update changes nothing: it locks an existing row, as the insert locks a new one.
on conflict on constraint verification_requests_pkey do update set email_hash = excluded.email_hash
returning requested_at;

-- name: NoteVerificationRequest :exec
-- Starts the cooldown of [ID-4].
insert into verification_requests (email_hash, requested_at) values (:email_hash, :now)
on conflict on constraint verification_requests_pkey do update set requested_at = excluded.requested_at;

-- name: InsertVerification :exec
-- Adds a new token by its hash; it replaces the account's unused ones.
-- The account is locked before its tokens, as in its removal.
with held as (select id from accounts where id = :user_id for key share),
  replaced as (
    delete from email_verifications using held where account_id = held.id and used_at is null
  )
insert into email_verifications (token_hash, account_id, created_at, expires_at)
values (:token_hash, :user_id, :now, :expires_at);

-- name: VerificationByHash :one
-- What decides on using a token, and what a password for its account is judged against; nothing is locked.
select
  {{Credentials}}, email, accounts.registered_at, accounts.verified_at, accounts.registration_secret_hash,
  token.created_at as issued_at, token.used_at
from email_verifications as token join accounts on accounts.id = token.account_id
where token.token_hash = :token_hash;

-- name: LockAccountOfVerification :one
-- Locks the account of a token until the transaction ends; no row if the token does not exist. The account is locked
-- before its tokens, as in its removal.
select id from accounts
where id = (select account_id from email_verifications where token_hash = :token_hash)
for no key update;

-- name: LockedVerification :one
-- What decides on using a token, which is locked, so that it is used once ([ID-4]).
select
  token.account_id as user_id, token.created_at as issued_at, token.used_at, accounts.registered_at,
  accounts.verified_at
from email_verifications as token join accounts on accounts.id = token.account_id
where token.token_hash = :token_hash for update of token;

-- name: UseVerification :exec
-- Records that a token was used.
update email_verifications set used_at = :now where token_hash = :token_hash;

-- name: VerifyAccount :one
-- Verifies an account that is not verified yet, which thereby takes its username ([ID-17]).
--
-- Fails with one of the ``UsernameConstraints`` when another account has the username, or it is reserved. Waits for
-- concurrent verifications with the same username.
-- @username: Another username for the account; `nil` for the one that it was registered with.
update accounts set
  verified_at = greatest(:now, registered_at), username = coalesce(:username?, username), registration_secret_hash = null
where id = :user_id and verified_at is null
returning username;

-- name: DeleteLapsedAccounts :many
-- Removes accounts that were never verified and have lapsed ([ID-1]).
delete from accounts where id in (
  select id from accounts where verified_at is null and registered_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteExpiredVerifications :many
-- Removes verification tokens that expired a week ago or earlier.
--
-- Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
delete from email_verifications where token_hash in (
  select token_hash from email_verifications where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteOldVerificationRequests :many
-- Removes records of requested verification mails whose cooldown is over.
delete from verification_requests where email_hash in (
  select email_hash from verification_requests where requested_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
