-- name: HoldUsers :exec public
-- Creates the rows of unknown users, and locks those of all, in the order of their ids, until the transaction ends: the first lock of a
-- transaction that changes what many users have. A row that is there is locked and not written.
insert into users (id) select distinct id from unnest(:user_ids::uuid[]) as named (id) order by id
on conflict on constraint users_pkey do update set deleted = users.deleted where false;
