-- name: OwnChanges :many slow
-- What changed in a user's profile, groups and their members since a place in the order of transactions ([C-11]). Nothing
-- is read from the oldest transaction on that is still open: what it changes comes later.
-- @transaction: The transaction of the change, as events number it.
-- @kind: 0 for the profile, 1 for a group, 2 for a member.
-- @group_id GroupID: All zeros for the profile.
-- @member_id UserID: All zeros for the profile and for a group.
-- @present: Whether it exists, or the user is still in the group.
-- @after_group_id GroupID
-- @after_member_id UserID
with nobody as (
  select '00000000-0000-0000-0000-000000000000'::uuid as id
), known as (
  select
    greatest(
      profiles.changed_in,
      (select badges.changed_in from badges where badges.account_id = :user_id order by changed_in desc limit 1)
    ) as changed_in,
    0 as kind, nobody.id as group_id, nobody.id as member_id, true as present
  from profiles cross join nobody
  where profiles.account_id = :user_id
  union all
  select greatest(groups.changed_in, mine.changed_in), 1, groups.id, nobody.id, true
  from group_members as mine join groups on groups.id = mine.group_id cross join nobody
  where mine.account_id = :user_id
  union all
  select left_group.changed_in, 1, left_group.group_id, nobody.id, false
  from former_members as left_group cross join nobody
  where left_group.account_id = :user_id and not exists (
    select from group_members as mine
    where mine.group_id = left_group.group_id and mine.account_id = left_group.account_id
  )
  union all
  select greatest(member.changed_in, mine.changed_in), 2, member.group_id, member.account_id, true
  from group_members as mine join group_members as member on member.group_id = mine.group_id
  where mine.account_id = :user_id
  union all
  select former.changed_in, 2, former.group_id, former.account_id, false
  from group_members as mine join former_members as former on former.group_id = mine.group_id
  where mine.account_id = :user_id and not exists (
    select from group_members as member
    where member.group_id = former.group_id and member.account_id = former.account_id
  )
), page as (
  select known.changed_in, known.kind, known.group_id, known.member_id, known.present
  from known cross join event_log
  where (known.changed_in, known.kind, known.group_id, known.member_id)
    > ((:after_transaction::bigint)::text::xid8, :after_kind::integer, :after_group_id::uuid, :after_member_id::uuid)
    and known.changed_in < {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}}
  order by known.changed_in, known.kind, known.group_id, known.member_id
  limit :limit
)
select
  page.changed_in::text::bigint as "transaction!", page.kind as "kind!", page.group_id as "group_id!",
  page.member_id as "member_id!", page.present as "present!",
  groups.name as group_name, groups.member_count, groups.revision, groups.created_at,
  accounts.username, member.joined_at
from page
left join groups on page.kind = 1 and page.present and groups.id = page.group_id
left join group_members as member
  on page.kind = 2 and page.present and member.group_id = page.group_id and member.account_id = page.member_id
left join accounts on accounts.id = member.account_id
order by page.changed_in, page.kind, page.group_id, page.member_id;

-- name: NumberingEpoch :one
-- The epoch of the numbers of transactions: another one begins where the database is restored.
select transaction_offset as epoch from event_log;

-- name: OwnProfile :one
-- A user's own profile.
select {{ProfileColumns}} from profiles join accounts on accounts.id = profiles.account_id
where profiles.account_id = :user_id;

-- name: TouchProfile :exec
-- Makes a profile one that changed, where only its picture did; a trigger stores the transaction.
update profiles set changed_in = changed_in where account_id = :user_id;

-- name: DeleteOldFormerMembers :many
-- Removes former members of whom every valid token knows.
delete from former_members where (group_id, account_id) in (
  select group_id, account_id from former_members where ended_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
