-- name: EnteredUser :one
-- Whether a user may write; takes a shared lock on the user's row, so that no account deletion is stored until the transaction ends. No
-- row for an unknown user.
select not deleted as "may_write!" from users where id = :user_id for share;

-- name: LockRequestsOfUser :one
-- Lets the requests of a user wait for each other until the transaction ends, so that none is made beyond the bound; it is taken before
-- every other lock.
select true as "locked!" from pg_advisory_xact_lock(hashtextextended('requests of ' || :user_id::uuid, 0));

-- name: EnterUser :exec
-- Creates the row of an unknown user.
insert into users (id) values (:user_id) on conflict on constraint users_pkey do nothing;

-- name: EnterUsers :exec
-- Creates the rows of unknown users.
insert into users (id) select distinct id from unnest(:user_ids::uuid[]) as named (id) order by id
on conflict on constraint users_pkey do nothing;

-- name: ShareUsers :exec
-- Takes shared locks on the rows of users, in the order of their ids, before books are locked.
select from users where id = any(:user_ids::uuid[]) order by id for share;

-- name: IntroduceUser :exec
-- Stores a username if none is known.
insert into users (id, username) values (:user_id, :username)
on conflict on constraint users_pkey do update set username = excluded.username
where not users.deleted and users.username = '';

-- name: MarkAccountDeleted :exec
-- Marks a user's account as deleted ([C-9]). Only the id stays, with the mark that requests and loans must be cleaned up.
insert into users (id, deleted, cleaned_up) values (:user_id, true, false)
on conflict on constraint users_pkey do update set username = '', deleted = true, cleaned_up = false;

-- name: UserToCleanUp :one
-- A user who deleted the account and is not cleaned up yet, by chance, so that none waits for ever behind one whose
-- cleanup fails; no row if there is none. The user's row is locked, before those of books.
select id from users where not cleaned_up order by random() limit 1 for update;

-- name: MarkCleanedUp :exec
-- Marks the cleanup of a user who deleted the account as finished.
update users set cleaned_up = true where id = :user_id;
