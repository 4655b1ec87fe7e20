-- name: UsernameIsTaken :one
-- Whether a username belongs to another user, or is reserved for one ([ID-22]). Unverified accounts and lapsed
-- reservations do not count ([ID-17]).
select
  exists (
    select from accounts
    where lower(username) collate "C" = :username_key and id <> :user_id and verified_at is not null
  ) or exists (
    select from username_reservations
    where username_key = :username_key and account_id <> :user_id and expires_at > :now
  ) as "is_taken!";

-- name: FreeLapsedUsername :exec
-- Removes a lapsed reservation of a username ([ID-22]).
delete from username_reservations where username_key = :username_key and expires_at <= :now;

-- name: ReplaceUsername :exec
-- Gives an account a new username, removes a reservation that the account had for it, and increments the profile's
-- revision.
--
-- Fails with one of the ``UsernameConstraints`` when the name is taken. Waits for concurrent transactions that take it.
with renamed as (update accounts set username = :username where id = :user_id),
  unreserved as (delete from username_reservations where username_key = :username_key and account_id = :user_id)
update profiles set revision = revision + 1, updated_at = :now where account_id = :user_id;

-- name: ReserveUsername :exec
-- Reserves a username that an account has just given up for its owner ([ID-22]).
-- @username_key: In lower case.
insert into username_reservations (username_key, account_id, expires_at)
values (:username_key, :user_id, :expires_at);

-- name: DeleteLapsedReservations :many
-- Removes reservations that have lapsed.
delete from username_reservations where username_key in (
  select username_key from username_reservations where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: UsersAfter :many slow
-- A page of all users, in the order of their ids ([C-5]).
-- @after UserID
select {{KnownUser}} from accounts
-- Each page starts at a lookup in the index, whatever plan is chosen: a separate condition for the first page would
-- read all earlier rows again.
where id > coalesce(:after?, '00000000-0000-0000-0000-000000000000'::uuid) and verified_at is not null
order by id limit :limit;
