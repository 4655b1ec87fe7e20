-- name: HoldPassword :one
-- Keeps a password from being replaced, and its account from being locked, until the transaction ends; no row if either
-- has happened, or the account was deleted. Logins to one account run one after the other, so that its remembered
-- devices are counted right.
select id from accounts
where id = :user_id and password_revision = :password_revision and locked_at is null
for no key update;

-- name: HoldAccount :one
-- Keeps an account from being locked or deleted until the transaction ends, and returns whether an operator has locked
-- it; no row if it was deleted.
select locked_at is not null as "is_locked!" from accounts where id = :user_id for no key update;

-- name: LockPassword :one
-- Locks an account whose password is to be replaced until the transaction ends; no row if the password was changed
-- meanwhile.
select id from accounts where id = :user_id and password_revision = :password_revision for no key update;

-- name: ReplacePassword :one
-- Replaces an account's password if it is still the one that was checked; no row if it is not.
--
-- All unused reset tokens of the account are removed. A transaction that uses a reset token locks the account first,
-- as this statement does.
with replaced as (
  update accounts set password_hash = :password_hash, password_revision = password_revision + 1
  where id = :user_id and password_revision = :password_revision
  returning id
), moot as (
  delete from password_resets using replaced where account_id = replaced.id and used_at is null
)
select id from replaced;

-- name: NamesByID :one
-- The names that an account's new password is judged against, and the credentials that show whether the old one is
-- unchanged.
select {{Credentials}}, email from accounts where id = :user_id;

-- name: AccountByEmail :one
-- The account with an e-mail address, unless it has lapsed.
select id from accounts where email_key = :email_key and (verified_at is not null or registered_at > :registered_after);

-- name: InsertReset :one
-- Adds a new reset token by its hash, for a mail to an address; it replaces the account's previous one. No row if the
-- account has another address by now: a token that is on its way to an address must not outlive its change ([ID-15]).
insert into password_resets (token_hash, account_id, created_at, expires_at)
select :token_hash, id, :now, :expires_at from accounts where id = :user_id and email = :email for share
on conflict (account_id) where used_at is null do update
set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
returning account_id;

-- name: ResetByHash :one
-- What decides on using a reset token, and what the new password is judged against.
select {{Credentials}}, email, token.created_at as issued_at, token.used_at
from password_resets as token join accounts on accounts.id = token.account_id
where token.token_hash = :token_hash;

-- name: UseReset :one
-- Records that a reset token is used; no row if it was used or replaced before.
update password_resets set used_at = :now where token_hash = :token_hash and used_at is null returning account_id;

-- name: DeleteExpiredResets :many
-- Removes reset tokens that expired a week ago or earlier.
--
-- Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
delete from password_resets where token_hash in (
  select token_hash from password_resets where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: EstimatedAccounts :one
-- The approximate number of accounts from the database's statistics; negative if there are none.
select reltuples::double precision as "accounts!" from pg_class where oid = 'accounts'::regclass;

-- name: PasswordParameterCounts :many
-- The number of password hashes with the same parameters, in a sample of accounts.
-- @percent: The sampled share of the table's pages.
-- @parameters: In the form of a PHC string.
select split_part(password_hash, '$', 3) as "parameters!", count(*) as "count!"
from accounts tablesample system ((:percent::double precision)::real)
where password_hash is not null group by 1 order by 2 desc limit 16;
