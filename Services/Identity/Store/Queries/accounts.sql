-- columns: Credentials
-- The data that a login is checked against.
-- @password_hash: In PHC string format; `nil` for an account without a password.
-- @password_revision: Incremented with every new password.
-- @is_locked: Whether an operator has locked the account.
id as user_id, username, password_hash, verified_at is not null as "is_verified!", password_revision,
locked_at is not null as "is_locked!";

-- name: FreeLapsedNames :exec
-- Removes an unverified account that has lapsed and holds the e-mail address ([ID-1]), and lapsed reservations of the
-- username ([ID-22]) and the address ([ID-15]).
-- @registered_before: Inclusive.
with unreserved as (delete from username_reservations where username_key = :username_key and expires_at <= :now),
  freed as (delete from email_reservations where email_key = :email_key and expires_at <= :now)
delete from accounts where email_key = :email_key and verified_at is null and registered_at <= :registered_before;

-- fragment: username_is_free(username)
-- True if no verified account has a username.
not exists (
  select from accounts where lower(username) collate "C" = lower({{username}}) collate "C" and verified_at is not null
);

-- name: InsertAccount :one
-- Adds an unverified account; returns no row when one of its names is taken. Waits for concurrent registrations of the
-- same address. Others may wait with the same username: the first that is verified gets it ([ID-17]).
--
-- Fails with one of the ``UsernameConstraints`` or ``EmailConstraints`` when the name is reserved ([ID-22], [ID-15]).
insert into accounts (id, email, email_key, username, password_hash, registered_at, registration_secret_hash)
select :user_id, :email, :email_key, :username, :password_hash, :now, :registration_secret_hash
where {{username_is_free(:username)}}
on conflict do nothing
returning id;

-- name: InsertFederatedAccount :one
-- Adds an account without a password; returns no row when one of its names is taken. Waits for concurrent
-- registrations of the same names.
-- @verified_at: `nil` for an address that is not verified yet.
-- @registration_secret_hash: `nil` for an address that is verified.
insert into accounts (id, email, email_key, username, registered_at, verified_at, registration_secret_hash)
select :user_id, :email, :email_key, :username, :now, :verified_at?, :registration_secret_hash?
where {{username_is_free(:username)}}
on conflict do nothing
returning id;

-- name: TakenNames :one
-- Which of two names is taken: an address by an account that has not lapsed or a reservation, a username by a verified
-- account or a reservation ([ID-15], [ID-17], [ID-22]).
select
  exists (
    select from accounts where email_key = :email_key and (verified_at is not null or registered_at > :registered_after)
  ) or exists (
    select from email_reservations where email_key = :email_key and expires_at > :now
  ) as "email!",
  exists (
    select from accounts
    where lower(username) collate "C" = :username_key and verified_at is not null
  ) or exists (
    select from username_reservations where username_key = :username_key and expires_at > :now
  ) as "username!";

-- name: CredentialsByID :one
-- Selects the credentials of an account.
select {{Credentials}} from accounts where id = :user_id;

-- name: CredentialsByEmail :one
-- Selects the credentials of the account with an e-mail address, unless it has lapsed.
select {{Credentials}} from accounts
where email_key = :email_key and (verified_at is not null or registered_at > :registered_after);

-- name: CredentialsByUsername :one
-- Selects the credentials of the account with a username: the verified one, or else the one that has waited longest and
-- has not lapsed.
select {{Credentials}} from accounts
where lower(username) collate "C" = :username_key and (verified_at is not null or registered_at > :registered_after)
order by verified_at is null, registered_at, id limit 1;

-- name: ReplacePasswordHash :exec
-- Replaces a password hash by one with other parameters, unless the password was changed meanwhile.
update accounts set password_hash = :new_hash where id = :user_id and password_hash = :old_hash;

-- name: UnverifiedAccount :one
-- Selects the unverified account with an e-mail address, unless it has lapsed.
select id from accounts where email_key = :email_key and verified_at is null and registered_at > :registered_after;
