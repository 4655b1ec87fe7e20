-- fragment: visible(user, viewer)
-- True where neither of two users has blocked the other, for a list of which each row has its own user. `user` is an expression for the id of
-- the user to be seen, which may differ from row to row; `viewer` is a parameter: the users that the viewer does not see are looked up once for
-- the whole statement.
{{user}} <> all(array(
  select blocked_id from blocks where blocker_id = {{viewer}}
  union all
  select blocker_id from blocks where blocked_id = {{viewer}}
));

-- fragment: blocked(one, other)
-- True where one of two users has blocked the other, by expressions for their ids; a null is no user.
exists (
  select from blocks
  where (blocker_id = {{one}} and blocked_id = {{other}}) or (blocker_id = {{other}} and blocked_id = {{one}})
);

-- name: AddBlocks :exec public
-- Stores blocks, the first blocker's of the first blocked user and so on, except of users whose accounts were deleted: the users' rows are
-- locked, so that no block is stored after the deletion ([C-9]).
with reported as (
  select blocker_id, blocked_id from unnest(:blocker_ids::uuid[], :blocked_ids::uuid[]) as pair (blocker_id, blocked_id)
), present as (
  insert into users (id)
  select id from (select blocker_id as id from reported union select blocked_id from reported) as named order by id
  on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
  returning id
)
insert into blocks (blocker_id, blocked_id)
select blocker_id, blocked_id from reported
where blocker_id in (select id from present) and blocked_id in (select id from present)
on conflict on constraint blocks_pkey do nothing;

-- name: RemoveBlocks :exec public
-- Removes blocks that were ended, the first blocker's of the first blocked user and so on.
delete from blocks using unnest(:blocker_ids::uuid[], :blocked_ids::uuid[]) as pair (blocker_id, blocked_id)
where blocks.blocker_id = pair.blocker_id and blocks.blocked_id = pair.blocked_id;

-- name: RemoveAllBlocks :exec
-- Removes all blocks, in a transaction that stores those that identity has now.
delete from blocks;

-- name: DeleteBlocksOfUser :exec public
-- Removes the blocks of a user, in both directions ([C-9]).
delete from blocks where blocker_id = :user_id or blocked_id = :user_id;
