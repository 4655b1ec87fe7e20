-- fragment: unread(member, conversation)
-- How many of a conversation's last 1,000 messages are of others, not deleted, and not read by a member. Numbers have no
-- gaps, so no more rows are read than that, whatever they are.
(
  select count(*)::integer from chat_messages as unread
  where unread.conversation_id = {{member}}.conversation_id
    and unread.sequence > greatest({{member}}.read_sequence, {{member}}.first_sequence - 1, {{conversation}}.last_sequence - 1000)
    and unread.sender_id is distinct from {{member}}.user_id and unread.notice is null and unread.deleted_at is null
);

-- columns: ConversationColumns
-- The columns of a row `conversation` as its row `member` sees it.
conversation.id, conversation.kind, coalesce(groups.name, '') as "name!", conversation.first_user_id, conversation.second_user_id,
conversation.last_sequence, conversation.last_revision, conversation.member_version, member.first_sequence, member.read_sequence,
{{unread(member, conversation)}} as "unread!";

-- fragment: conversations_of_member
-- The conversations of a user, but for direct ones between users of whom one has blocked the other; a condition on `member` may follow.
select {{ConversationColumns}}
from chat_members as member
join chat_conversations as conversation on conversation.id = member.conversation_id
left join groups on groups.id = conversation.id
where member.user_id = :user_id and {{may_talk(conversation)}};

-- name: ConversationOfMember :one
-- A conversation as a member sees it; no row for another user, or where one of two has blocked the other ([C-10]).
{{conversations_of_member}} and member.conversation_id = :conversation_id;

-- name: ConversationsOfMember :many
-- A page of a user's conversations, the newest first ([C-5]).
-- @before ConversationID: The last conversation of the previous page.
{{conversations_of_member}}
and member.conversation_id < coalesce(:before?::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
order by member.conversation_id desc
limit :limit;

-- name: LastMessages :many
-- The last message of each of some conversations that a user sees.
select message.conversation_id, {{MessageColumns as message}}
from unnest(:conversation_ids::uuid[]) as wanted (id)
join chat_conversations as conversation on conversation.id = wanted.id
join chat_messages as message on message.conversation_id = conversation.id and message.sequence = conversation.last_sequence
join chat_members as member
  on member.conversation_id = conversation.id and member.user_id = :user_id
  and message.sequence >= member.first_sequence
{{reactions_of_message}}
where {{may_talk(conversation)}};

-- name: MemberAccess :one
-- What a member may see of a conversation; no row for another user, or where one of two has blocked the other ([C-10], [TR-34]).
-- @epoch: That of the numbers.
select
  conversation.kind, conversation.last_sequence, conversation.last_revision, conversation.member_version, member.first_sequence,
  {{epoch}} as "epoch!"
from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
where member.conversation_id = :conversation_id and member.user_id = :user_id and {{may_talk(conversation)}};

-- name: MembersOfConversation :many
-- The members of a conversation, and where it is; none where one of two users has blocked the other ([C-10]).
-- @epoch: That of the numbers.
-- @blocked_ids [UserID]: The members whom this one has blocked.
with blocking as materialized (
  select blocks.blocker_id, blocks.blocked_id
  from chat_members as blocker
  join blocks on blocks.blocker_id = blocker.user_id
  join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = blocks.blocked_id
  where blocker.conversation_id = :conversation_id
)
select
  member.user_id, member.first_sequence, member.read_sequence,
  {{is_online(member.conversation_id, member.user_id)}} as "is_online!",
  array(select blocked_id from blocking where blocker_id = member.user_id) as "blocked_ids!",
  conversation.last_sequence, conversation.last_revision, conversation.member_version, {{epoch}} as "epoch!"
from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
where member.conversation_id = :conversation_id and {{may_talk(conversation)}}
order by member.user_id;

-- name: HiddenAmong :many
-- Those of some users of whom one of them and another user has blocked the other ([C-10]).
-- @id UserID
select wanted.id as "id!" from unnest(:user_ids::uuid[]) as wanted (id) where {{blocked(wanted.id, :user_id::uuid)}};

-- name: ConversationHeads :many
-- How far some conversations have come.
select id, last_sequence, last_revision, member_version from chat_conversations where id = any(:conversation_ids);

-- name: BeginDirectConversation :one
-- The direct conversation of two users, the smaller id first; it begins unless there is one ([TR-30]). No row where one of them has blocked the
-- other, or the second is not a user that identity has named ([C-10]).
-- @conversation_id: Its id, should it begin.
with present as (
  select id from users where id in (:first_user_id, :second_user_id) and not deleted order by id for share
), begun as (
  insert into chat_conversations (id, kind, first_user_id, second_user_id, created_at)
  select :conversation_id, 'DIRECT', :first_user_id, :second_user_id, :now
  where (select count(*) from present) = 2 and not {{blocked(:first_user_id, :second_user_id)}}
  on conflict on constraint chat_conversations_users_key do nothing
  returning id
), members as (
  insert into chat_members (conversation_id, user_id, first_sequence, read_sequence)
  select begun.id, one.id, 1, 0 from begun cross join unnest(array[:first_user_id, :second_user_id]) as one (id)
)
select id as "conversation_id!" from begun;

-- name: CountBegunConversation :one
-- Counts a direct conversation that a user has begun ([TR-30]); returns the start of the window and the conversations in it. Callers of one user
-- wait for each other here.
-- @expired_at: A window that began then or before is over.
insert into chat_quotas as quota (user_id, began_at, begun) values (:user_id, :now, 1)
on conflict on constraint chat_quotas_pkey do update set
  began_at = case when quota.began_at <= :expired_at then excluded.began_at else quota.began_at end,
  begun = case when quota.began_at <= :expired_at then 1 else quota.begun + 1 end
returning began_at, begun;

-- name: DirectConversation :one
-- The direct conversation of two users, the smaller id first; no row where there is none, or one has blocked the other.
select id as conversation_id from chat_conversations
where first_user_id = :first_user_id and second_user_id = :second_user_id and not {{blocked(:first_user_id, :second_user_id)}};

-- name: EnterChatUser :exec
-- Stores the id of a user who is known by a token alone.
insert into users (id) values (:user_id) on conflict on constraint users_pkey do nothing;

-- name: MoveReadMark :one
-- Moves the mark up to which a member has read, never back and never beyond the last message ([TR-33]); a notification of later messages is due
-- again. No row for a user who is not a member.
with moved as (
  update chat_members as member
  set read_sequence = greatest(member.read_sequence, least(:sequence, conversation.last_sequence)), is_notified = false
  from chat_conversations as conversation
  where conversation.id = member.conversation_id and member.conversation_id = :conversation_id and member.user_id = :user_id
    and {{may_talk(conversation)}}
  returning member.*, conversation.last_sequence
)
select read_sequence as "read_sequence!", {{unread(moved, moved)}} as "unread!" from moved;
