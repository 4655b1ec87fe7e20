-- name: BeginGroupConversations :exec
-- Stores conversations of groups that have none yet ([TR-30]).
insert into chat_conversations (id, kind, created_at)
select id, 'GROUP', :now from unnest(:conversation_ids::uuid[]) as begun (id) order by id
on conflict on constraint chat_conversations_pkey do nothing;

-- name: RemoveFormerMembers :many
-- Removes the members of group conversations, which the transaction has locked, who are no longer members of the groups, and adds the notices of
-- it ([TR-31], [TR-34]).
with former as (
  delete from chat_members as member using chat_conversations as conversation
  where conversation.id = member.conversation_id and conversation.kind = 'GROUP' and conversation.id = any(:conversation_ids)
    and not exists (
      select from memberships
      where memberships.group_id = member.conversation_id and memberships.user_id = member.user_id
        and memberships.membership_id = member.membership_id
    )
  returning member.conversation_id, member.user_id
), numbered as (
  select
    former.*, conversation.last_sequence + row_number() over (partition by former.conversation_id order by former.user_id) as sequence
  from former join chat_conversations as conversation on conversation.id = former.conversation_id
), stored as (
  insert into chat_messages (conversation_id, sequence, sender_id, notice, text, created_at)
  select numbered.conversation_id, numbered.sequence, case when not users.deleted then numbered.user_id end, 'LEFT', '', :now
  from numbered left join users on users.id = numbered.user_id
), absent as (
  delete from chat_presence using former
  where chat_presence.conversation_id = former.conversation_id and chat_presence.user_id = former.user_id
)
update chat_conversations
set
  last_sequence = last.sequence, member_version = member_version + 1,
  abandoned_at = case when exists (select from memberships where group_id = id) then null else :now end
from (select conversation_id, max(sequence) as sequence from numbered group by conversation_id) as last
where id = last.conversation_id
returning id as conversation_id;

-- name: AddNewMembers :many
-- Adds the members of groups to their conversations, which the transaction has locked, with the notices of it: they see messages from these on
-- ([TR-31], [TR-33]).
with entering as (
  select memberships.group_id as conversation_id, memberships.user_id, memberships.membership_id
  from memberships
  left join chat_members as member on member.conversation_id = memberships.group_id and member.user_id = memberships.user_id
  where memberships.group_id = any(:conversation_ids) and member.user_id is null
), numbered as (
  select
    entering.*, conversation.last_sequence + row_number() over (partition by entering.conversation_id order by entering.user_id) as sequence
  from entering join chat_conversations as conversation on conversation.id = entering.conversation_id and conversation.kind = 'GROUP'
), stored as (
  insert into chat_messages (conversation_id, sequence, sender_id, notice, text, created_at)
  select numbered.conversation_id, numbered.sequence, case when not users.deleted then numbered.user_id end, 'JOINED', '', :now
  from numbered left join users on users.id = numbered.user_id
), entered as (
  insert into chat_members (conversation_id, user_id, membership_id, first_sequence, read_sequence)
  select conversation_id, user_id, membership_id, sequence, sequence from numbered
)
update chat_conversations
set last_sequence = last.sequence, member_version = member_version + 1, abandoned_at = null
from (select conversation_id, max(sequence) as sequence from numbered group by conversation_id) as last
where id = last.conversation_id
returning id as conversation_id;

-- name: GroupsWithOtherMembers :many
-- Groups whose members differ from those of their conversations, and conversations of groups that are gone.
select coalesce(memberships.group_id, member.conversation_id) as "conversation_id!"
from memberships
full join (
  select chat_members.* from chat_members join chat_conversations on chat_conversations.id = chat_members.conversation_id
  where chat_conversations.kind = 'GROUP'
) as member
  on member.conversation_id = memberships.group_id and member.user_id = memberships.user_id
  and member.membership_id = memberships.membership_id
where member.user_id is null or memberships.user_id is null
group by 1
order by 1;

-- name: GroupsWithoutConversation :many slow
-- Some groups with members that have no conversation: they are from before there was a chat ([TR-30]).
select distinct memberships.group_id as conversation_id from memberships
where not exists (select from chat_conversations where chat_conversations.id = memberships.group_id)
limit :limit;

-- name: BlockedConversations :many slow
-- The conversations that users have in common of whom one has blocked the other ([C-10]).
select blocker.conversation_id, blocks.blocker_id, blocks.blocked_id
from blocks
join chat_members as blocker on blocker.user_id = blocks.blocker_id
join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = blocks.blocked_id;

-- name: NoteMembers :exec
-- Has the members of conversations looked at again.
update chat_conversations set member_version = member_version + 1 where id = any(:conversation_ids);

-- name: NoteBlocks :many
-- Has the conversations looked at again that pairs of users have in common, of whom one has blocked the other, or no longer does; the first of
-- the one with the first of the other.
with locked as (
  -- In the order of their ids, like everything that locks several.
  select id from chat_conversations
  where id in (
    select blocker.conversation_id
    from unnest(:blocker_ids::uuid[], :blocked_ids::uuid[]) as pair (blocker_id, blocked_id)
    join chat_members as blocker on blocker.user_id = pair.blocker_id
    join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = pair.blocked_id
  )
  order by id for no key update
)
update chat_conversations set member_version = member_version + 1
from locked where chat_conversations.id = locked.id
returning chat_conversations.id as conversation_id;

-- name: ForgetChatUser :exec
-- Ends direct conversations with a user who deleted the account, and has messages and reactions removed ([C-9]). Members of groups are removed as
-- identity reports it.
with erasure as (
  insert into chat_erasures (user_id) values (:user_id) on conflict on constraint chat_erasures_pkey do nothing
), absent as (
  delete from chat_presence where user_id = :user_id
), former as (
  delete from chat_members as member using chat_conversations as conversation
  where conversation.id = member.conversation_id and conversation.kind = 'DIRECT' and member.user_id = :user_id
), unsent as (
  delete from chat_pictures where uploader_id = :user_id and sequence is null
), quota as (
  delete from chat_quotas where user_id = :user_id
)
update chat_conversations
set
  first_user_id = nullif(first_user_id, :user_id), second_user_id = nullif(second_user_id, :user_id),
  member_version = member_version + 1,
  abandoned_at = case when first_user_id is null or second_user_id is null then now() end
where first_user_id = :user_id or second_user_id = :user_id;
