-- name: PutGroups :exec
-- Stores the names of some groups, each once.
insert into groups (id, name)
select id, name from unnest(:group_ids::uuid[], :names::text[]) as reported (id, name) order by id
on conflict on constraint groups_pkey do update set name = excluded.name, deleted_at = null
where groups.name <> excluded.name or groups.deleted_at is not null;

-- name: MarkGroupsDeleted :exec
-- Forgets the names of groups that were deleted ([ID-42]); their rows are removed once nothing of them is stored.
update groups set name = '', deleted_at = :now where id = any(:group_ids::uuid[]);

-- name: MarkMemberlessGroupsDeleted :exec slow
-- The same for all groups without members, after a resync: a group is deleted with its last member.
update groups set name = '', deleted_at = :now
where deleted_at is null and not exists (select from memberships where memberships.group_id = groups.id);

-- name: DeleteGroups :many
-- Removes deleted groups without members.
delete from groups where id in (
  select id from groups
  where deleted_at <= :moment and not exists (select from memberships where memberships.group_id = groups.id)
  limit :limit
  for update skip locked
) returning 1 as "removed!";

-- name: EnterGroups :exec
-- Creates the rows of unknown groups.
insert into groups (id) select distinct id from unnest(:group_ids::uuid[]) as named (id) order by id
on conflict on constraint groups_pkey do nothing;

-- name: AddMemberships :many
-- Stores memberships of groups that have rows, each pair once; returns those that are new. Deleted accounts have none ([C-9]).
with reported as (
  select group_id, user_id, membership_id, joined_at
  from unnest(:group_ids::uuid[], :user_ids::uuid[], :membership_ids::uuid[], :joined_ats::timestamptz[])
    as reported (group_id, user_id, membership_id, joined_at)
), present as (
  -- Locked, so that no account's deletion and no block is stored meanwhile.
  insert into users (id) select distinct user_id from reported order by user_id
  on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
  returning id
), hidden as (
  -- As at the end of a membership.
  delete from journey_groups using memberships, reported, trackers
  where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
    and memberships.membership_id <> reported.membership_id and trackers.user_id = reported.user_id
    and journey_groups.journey_id = trackers.journey_id and journey_groups.group_id = reported.group_id
), renewed as (
  -- Of whom the end of the former membership was not reported.
  delete from place_groups using memberships, reported
  where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
    and memberships.membership_id <> reported.membership_id
    and place_groups.group_id = memberships.group_id and place_groups.user_id = memberships.user_id
)
insert into memberships (group_id, user_id, membership_id, joined_at)
select reported.group_id, reported.user_id, reported.membership_id, reported.joined_at
from reported inner join present on present.id = reported.user_id
order by reported.group_id, reported.user_id
on conflict on constraint memberships_pkey do update
set
  membership_id = excluded.membership_id, joined_at = excluded.joined_at, state = 'INACTIVE', warnings = 0,
  shared_since = null, last_latitude = null, last_longitude = null, last_accuracy_m = null, last_altitude_m = null,
  last_speed_mps = null, last_course = null, last_recorded_at = null, last_kept_at = null, withheld_since = null
where memberships.membership_id <> excluded.membership_id
returning group_id, user_id;

-- name: RemoveMemberships :many
-- Removes memberships by their ids; returns those that were there.
with ended as materialized (
  select group_id, user_id from memberships
  where (group_id, user_id, membership_id)
    in (select * from unnest(:group_ids::uuid[], :user_ids::uuid[], :membership_ids::uuid[]))
  order by group_id, user_id for update
), hidden as (
  -- A member who joins again during a journey shows nothing of it.
  delete from journey_groups using ended, trackers
  where trackers.user_id = ended.user_id and journey_groups.journey_id = trackers.journey_id
    and journey_groups.group_id = ended.group_id
)
delete from memberships using ended
where memberships.group_id = ended.group_id and memberships.user_id = ended.user_id
returning memberships.group_id, memberships.user_id;

-- name: RemoveOtherMemberships :many slow
-- Removes all memberships but some, after a resync.
with ended as materialized (
  select group_id, user_id from memberships where membership_id <> all(:membership_ids::uuid[])
  order by group_id, user_id for update
), hidden as (
  delete from journey_groups using ended, trackers
  where trackers.user_id = ended.user_id and journey_groups.journey_id = trackers.journey_id
    and journey_groups.group_id = ended.group_id
)
delete from memberships using ended
where memberships.group_id = ended.group_id and memberships.user_id = ended.user_id
returning memberships.group_id, memberships.user_id;

-- name: MembershipOf :one
-- A user's membership of a group: the proof that the user may see it ([TR-12]).
select membership_id, joined_at from memberships where group_id = :group_id and user_id = :user_id;

-- name: MembershipsIn :many
-- Those of some groups that a user is a member of.
select group_id, membership_id, joined_at from memberships
where user_id = :user_id and group_id = any(:group_ids::uuid[])
order by group_id;

-- name: GroupsOfUsers :many
-- The groups of some users.
select distinct group_id from memberships where user_id = any(:user_ids) order by group_id;

-- name: MembersAmong :many
-- Those of some pairs of group and user that are memberships now.
select memberships.group_id, memberships.user_id
from unnest(:group_ids::uuid[], :user_ids::uuid[]) as pair (group_id, user_id)
join memberships on memberships.group_id = pair.group_id and memberships.user_id = pair.user_id;
