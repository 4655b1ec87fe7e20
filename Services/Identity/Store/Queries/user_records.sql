-- columns: UserRecord
-- An account as operators see it.
-- @locked_at: When an operator locked it; `nil` if it is not locked.
-- @sessions: Sessions that have neither ended nor expired.
accounts.id, accounts.username, accounts.email, accounts.registered_at, accounts.verified_at, accounts.locked_at,
(
  select count(*)::integer from sessions
  where sessions.account_id = accounts.id and sessions.revoked_at is null and sessions.expires_at > :now
) as "sessions!",
(select max(sessions.last_used_at) from sessions where sessions.account_id = accounts.id) as last_used_at;

-- name: UserByID :one
-- An account by its id.
select {{UserRecord}} from accounts where accounts.id = :user_id;

-- name: UserByEmail :one
-- The account with an e-mail address, verified or not.
select {{UserRecord}} from accounts where accounts.email_key = :email_key;

-- name: UsersByPrefix :many slow
-- A page of the accounts whose usernames begin with a text, in their order ([C-5]).
-- @after: The last username of the previous page, in lower case; empty for the first page.
-- @after_id UserID: Its account; several that are not verified may have the same username.
select {{UserRecord}} from accounts
-- A brace sorts after every character of a username.
where lower(accounts.username) collate "C" >= :prefix and lower(accounts.username) collate "C" < :prefix || '{'
  and (lower(accounts.username) collate "C", accounts.id)
    > (:after, coalesce(:after_id?, '00000000-0000-0000-0000-000000000000'::uuid))
order by lower(accounts.username) collate "C", accounts.id limit :limit;

-- name: SetAccountLock :one
-- Locks or unlocks an account; no row if there is none, or it is in that state already.
-- @locked_at: `nil` unlocks.
update accounts set locked_at = :locked_at?
where id = :user_id and (locked_at is null) <> (:locked_at?::timestamptz is null)
returning id;
