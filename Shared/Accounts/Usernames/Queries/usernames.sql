-- name: NameUsers :exec public
-- Stores usernames, at most one for each user, except of users whose accounts were deleted ([C-9]).
insert into users (id, username)
select id, username from unnest(:user_ids::uuid[], :usernames::text[]) as reported (id, username) order by id
on conflict on constraint users_pkey do update set username = excluded.username
where not users.deleted and users.username <> excluded.username;

-- name: NewNames :many slow
-- The usernames among some that differ from the stored ones, or are not stored; deleted accounts have none ([C-9]).
select reported.id as "user_id!", reported.username as "username!"
from unnest(:user_ids::uuid[], :usernames::text[]) as reported (id, username)
left join users on users.id = reported.id
where users.id is null or (not users.deleted and users.username <> reported.username)
order by reported.id;

-- name: HoldUsers :exec public
-- Creates the rows of unknown users, and locks those of all, in the order of their ids, until the transaction ends: the first lock of a
-- transaction that changes what many users have. A row that is there is locked and not written.
insert into users (id) select distinct id from unnest(:user_ids::uuid[]) as named (id) order by id
on conflict on constraint users_pkey do update set deleted = users.deleted where false;
