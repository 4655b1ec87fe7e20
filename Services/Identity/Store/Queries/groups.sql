-- columns: StoredGroup: Equatable
groups.id, groups.name, groups.member_count, groups.revision, groups.created_at;

-- columns: StoredMember
-- A member of a group.
member.id as membership_id, accounts.id as user_id, accounts.username, member.joined_at;

-- name: InsertGroup :one
-- Adds a group with its first member ([ID-40]).
with made as (
  insert into groups (id, name, member_count, created_at) values (:group_id, :name, 1, :now)
  returning id, name, member_count, revision, created_at
), joined as (
  insert into group_members (group_id, account_id, id, joined_at) select id, :user_id, :membership_id, :now from made
)
select {{StoredGroup}} from made as groups;

-- name: LockGroup :one
-- Selects a group and locks it until the transaction ends: meanwhile no user joins, leaves or renames it.
--
-- Members must be read by a later statement: one statement would see the members from before it waited for the lock.
select {{StoredGroup}} from groups where id = :group_id for update;

-- name: MembershipOf :one
-- Selects a user's membership of a group; returns no row when they are not a member.
select id from group_members where account_id = :user_id and group_id = :group_id;

-- name: CountGroups :one
-- Counts the groups that a user is in.
select count(*)::integer as "groups!" from group_members where account_id = :user_id;

-- name: UserToInvite :one
-- Selects the user with a verified address, unless they have blocked the inviter ([C-10]).
--
-- A block by the inviter makes no difference here: it would tell them which of the users they can see has the address
-- ([ID-23]). The invitation is hidden from its invitee instead.
-- @is_hidden: Whether the inviter has blocked the user.
select {{KnownUser}}, exists (
  select from blocks where blocker_id = :inviter_id and blocked_id = accounts.id
) as "is_hidden!"
from accounts
where email_key = :email_key and verified_at is not null
  and not exists (select from blocks where blocker_id = accounts.id and blocked_id = :inviter_id);

-- name: InsertMember :exec
-- Adds a user to a group that the transaction has locked; they must not be a member.
with joined as (
  insert into group_members (group_id, account_id, id, joined_at, invitation_id)
  values (:group_id, :user_id, :membership_id, :now, :invitation_id)
  returning group_id
)
update groups set member_count = member_count + 1 from joined where groups.id = joined.group_id;

-- name: DeleteMember :exec
-- Removes a member, who is not the last one, from a group that the transaction has locked.
with gone as (delete from group_members where id = :membership_id returning group_id)
update groups set member_count = member_count - 1 from gone where groups.id = gone.group_id;

-- name: DeleteGroup :exec
-- Removes a group that the transaction has locked, with its last member.
delete from groups where id = :group_id;

-- name: RenameGroup :one
-- Renames a group that the transaction has locked, and increments its revision.
update groups set name = :name, revision = revision + 1 where id = :group_id returning {{StoredGroup}};

-- name: GroupForMember :one
-- Selects a group for one of its members.
select {{StoredGroup}} from groups
join group_members on group_members.group_id = groups.id
where groups.id = :group_id and group_members.account_id = :user_id;

-- name: GroupsOf :many
-- Selects a page of the groups that a user is in, the oldest first ([C-5]); all of them without a limit.
-- @after GroupID: The last group of the previous page.
select {{StoredGroup}} from group_members
join groups on groups.id = group_members.group_id
where group_members.account_id = :user_id and (:after?::uuid is null or group_members.group_id > :after?)
order by group_members.group_id limit :limit?;

-- name: MembersAfter :many
-- Selects a page of a group's members, the longest membership first ([C-5]); returns no row if the viewer is neither a
-- member nor invited. Whom a block is between and an invited viewer is left out ([C-10]).
-- @after MembershipID: The last member of the previous page.
select {{StoredMember}}
from group_members as member join accounts on accounts.id = member.account_id
where member.group_id = :group_id and (:after?::uuid is null or member.id > :after?)
  and {{sees_members(:group_id, :viewer_id, :lapsed_before)}}
  and (
    {{visible_pair(:viewer_id, member.account_id)}}
    or exists (select from group_members as own where own.group_id = :group_id and own.account_id = :viewer_id)
  )
order by member.id limit :limit;

-- name: SeesMembers :one
-- Whether a user is a member of a group, or has an open invitation to it.
select {{sees_members(:group_id, :viewer_id, :lapsed_before)}} as "sees_members!";

-- name: FriendsAmong :many
-- Selects those of some users who have a group in common with a user, and whom no block is between ([ID-44], [C-10]).
-- @others [UserID]
select distinct mate.account_id as user_id
from group_members as mine join group_members as mate on mate.group_id = mine.group_id
where mine.account_id = :user_id and mate.account_id = any(:others::uuid[]) and mate.account_id <> :user_id
  and {{visible_pair(mate.account_id, :user_id)}};

-- name: MembershipsAfter :many slow
-- Selects a page of the memberships of all groups, in the order of the ids of group and user ([C-5]).
-- @after_group_id GroupID: The group of the last membership of the previous page; `nil` for the first page.
-- @after_user_id UserID: Its user.
select member.group_id, groups.name, member.account_id as user_id, member.id as membership_id, member.joined_at
from group_members as member join groups on groups.id = member.group_id
where :after_group_id?::uuid is null
  or (member.group_id, member.account_id) > (:after_group_id?, :after_user_id?::uuid)
order by member.group_id, member.account_id
limit :limit;
