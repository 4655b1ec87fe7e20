-- columns: KnownUser: Equatable
-- A user with a verified account.
accounts.id, accounts.username;

-- columns: StoredBlock
-- A user whom another user has blocked.
-- @username: When they were blocked; empty if the blocking user could not see it.
blocks.blocked_id as user_id, blocks.blocked_username as username, blocks.blocked_at;

-- fragment: sees_name(viewer, other)
-- True if a user sees what another is called: in their profile, which no block hides ([C-10]), as a member of a group of
-- both, or as the one who invited them, unless that is hidden ([ID-44]).
exists (select from profiles where profiles.account_id = {{other}}) and {{visible_pair({{viewer}}, {{other}})}}
or {{share_group({{viewer}}, {{other}})}}
or exists (
  select from group_invitations as invitation
  where invitation.invitee_id = {{viewer}} and invitation.inviter_id = {{other}} and invitation.declined_at is null
    and {{visible_pair({{viewer}}, {{other}})}}
);

-- fragment: visible_pair(one, other)
-- True if neither of two users has blocked the other ([C-10]), by expressions for their ids.
not exists (
  select from blocks where (blocker_id = {{one}} and blocked_id = {{other}})
    or (blocker_id = {{other}} and blocked_id = {{one}})
);

-- name: LockUsers :many
-- Locks the accounts of users whose relations are to change, in the order of their ids, until the transaction ends;
-- returns one row for each that exists. This makes limits on counts per user exact.
select {{KnownUser}} from accounts where id = any(:user_ids) and verified_at is not null order by id for no key update;

-- name: LockedUser :one
-- Selects a verified user, whose row cannot be deleted until the transaction ends.
select {{KnownUser}} from accounts where id = :user_id and verified_at is not null for key share;

-- name: InsertBlock :one
-- Records that a user blocks another; returns no row when they do already, or the other does not exist.
insert into blocks (blocker_id, blocked_id, blocked_at, blocked_username)
select
  :blocker_id, accounts.id, :now,
  case when {{sees_name(:blocker_id, accounts.id)}} then accounts.username else '' end
from accounts where accounts.id = :blocked_id
on conflict on constraint blocks_pkey do nothing
returning {{StoredBlock}};

-- name: BlockOf :one
-- Selects a user's block of another; returns no row when there is none.
select {{StoredBlock}} from blocks where blocker_id = :blocker_id and blocked_id = :blocked_id;

-- name: CountBlocks :one
-- Counts the users whom a user blocks.
select count(*)::integer as "blocked!" from blocks where blocker_id = :blocker_id;

-- name: RecentBlock :one
-- When a user has blocked another, if since a moment; the block stays until the transaction ends.
select blocked_at from blocks
where blocker_id = :blocker_id and blocked_id = :blocked_id and blocked_at >= :since
for share;

-- name: DeleteBlock :one
-- Removes a block; returns no row when there is none.
delete from blocks where blocker_id = :blocker_id and blocked_id = :blocked_id returning blocked_at;

-- name: BlocksBefore :many
-- Selects a page of the users whom a user blocks, the latest first ([C-5]).
-- @before_time: When the last user of the previous page was blocked; `nil` for the first page.
-- @before_id UserID: That user.
select {{StoredBlock}}
from blocks
where blocks.blocker_id = :blocker_id
  and (
    :before_time?::timestamptz is null or (blocks.blocked_at, blocks.blocked_id) < (:before_time?, :before_id?::uuid)
  )
order by blocks.blocked_at desc, blocks.blocked_id desc limit :limit;

-- name: BlocksAfter :many slow
-- Selects a page of all blocks, in the order of the users' ids ([C-5]).
-- @after_blocker_id UserID: Who blocks in the last block of the previous page; `nil` for the first page.
-- @after_blocked_id UserID: Whom they block.
select blocker_id, blocked_id from blocks
where :after_blocker_id?::uuid is null or (blocker_id, blocked_id) > (:after_blocker_id?, :after_blocked_id?::uuid)
order by blocker_id, blocked_id
limit :limit;
