-- name: DueChatNotices :many
-- Locks conversations of whose new messages offline members are to be notified by now ([TR-32], [TR-35]).
select id as conversation_id from chat_conversations
where id in (
  (select id from chat_conversations where notice_due_at <= :now order by notice_due_at limit :limit)
  union
  (select conversation_id from chat_members where notice_due_at <= :now order by notice_due_at limit :limit)
)
order by id
limit :limit
for no key update skip locked;

-- name: HoldMembersToNotify :many
-- Locks the members of locked conversations who are not notified yet, in the order of their ids: one who comes online meanwhile waits for it, and
-- may be notified again later.
select user_id from chat_members where conversation_id = any(:conversation_ids) and not is_notified
order by conversation_id, user_id for no key update;

-- name: TakeChatNotices :many
-- The members of locked conversations to be notified: offline, not notified since they were here,
-- with messages that they have not read, and that came when they were not reachable any more;
-- messages between users of whom one has blocked the other do not count ([C-10]).
-- @sender_id UserID: The sender of the last such message.
with settled as (
  update chat_conversations set notice_due_at = null where id = any(:conversation_ids)
), due as (
  select member.conversation_id, member.user_id, unread.sender_id, conversation.last_sequence, coalesce(groups.name, '') as name
  from chat_members as member
  join chat_conversations as conversation on conversation.id = member.conversation_id
  left join groups on groups.id = conversation.id
  join lateral (
    select sender_id from chat_messages as unread
    where unread.conversation_id = member.conversation_id
      and unread.sequence > greatest(member.read_sequence, member.reached_sequence, member.first_sequence - 1)
      and unread.sender_id is distinct from member.user_id and unread.notice is null and unread.deleted_at is null
      and not {{blocked(unread.sender_id, member.user_id)}}
    order by unread.sequence desc
    limit 1
  ) as unread on true
  where member.conversation_id = any(:conversation_ids) and not member.is_notified
    and not {{is_online(member.conversation_id, member.user_id)}} and {{may_talk(conversation)}}
), notified as (
  update chat_members as member set is_notified = member.is_notified or due.user_id is not null, notice_due_at = null
  from chat_members as same
  left join due on due.conversation_id = same.conversation_id and due.user_id = same.user_id
  where same.conversation_id = any(:conversation_ids) and (due.user_id is not null or same.notice_due_at is not null)
    and member.conversation_id = same.conversation_id and member.user_id = same.user_id
)
select
  conversation_id as "conversation_id!", user_id as "user_id!", sender_id, last_sequence as "last_sequence!", name as "name!"
from due order by conversation_id, sender_id, user_id;

-- name: DueErasure :one
-- Locks a user of whom something is to be removed, or nothing is left. Between the two are members of groups, which identity has yet to report
-- as removed: what such a user sent at the last moment is still removed. One by chance, so that none waits for ever behind one whose removal fails.
select user_id from chat_erasures as erasure
where not exists (select from chat_members where chat_members.user_id = erasure.user_id)
  or exists (select from chat_messages where chat_messages.sender_id = erasure.user_id)
  or exists (select from chat_reactions where chat_reactions.user_id = erasure.user_id)
order by random()
limit 1
for update skip locked;

-- name: MessagesToErase :many
-- Some messages of a user, the conversations first in the order of their ids.
select conversation_id, sequence from chat_messages where sender_id = :user_id order by conversation_id, sequence limit :limit;

-- name: ReactionsToErase :many
-- Some messages to which a user has reacted.
select conversation_id, sequence from chat_reactions where user_id = :user_id order by conversation_id, sequence limit :limit;

-- name: EraseMessages :exec
-- Removes the content of messages of a user who deleted the account, and that they are the user's; the conversations are locked ([C-9]).
with erased as (
  select message.conversation_id, message.sequence, row_number() over (partition by message.conversation_id order by message.sequence) as number
  from chat_messages as message
  join unnest(:conversation_ids::uuid[], :sequences::bigint[]) as named (conversation_id, sequence)
    on named.conversation_id = message.conversation_id and named.sequence = message.sequence
), reactions as (
  delete from chat_reactions using erased
  where chat_reactions.conversation_id = erased.conversation_id and chat_reactions.sequence = erased.sequence
), pictures as (
  delete from chat_pictures using erased
  where chat_pictures.conversation_id = erased.conversation_id and chat_pictures.sequence = erased.sequence
), advanced as (
  update chat_conversations set last_revision = last_revision + counted.count
  from (select conversation_id, count(*) as count from erased group by conversation_id) as counted
  where chat_conversations.id = counted.conversation_id
  returning chat_conversations.id, chat_conversations.last_revision - counted.count as revision
)
update chat_messages as message
set
  text = '', words = null, picture_id = null, reply_to = null, has_reactions = false, sender_id = null, client_message_id = null,
  deleted_at = case when message.notice is null then coalesce(message.deleted_at, :now) end,
  revision = advanced.revision + erased.number
from erased join advanced on advanced.id = erased.conversation_id
where message.conversation_id = erased.conversation_id and message.sequence = erased.sequence;

-- name: EndErasure :exec
-- Nothing is left of a user who is no member any more, so that nothing follows.
with ended as (
  delete from chat_erasures as erasure
  where user_id = :user_id
    and not exists (select from chat_members where chat_members.user_id = erasure.user_id)
    and not exists (select from chat_messages where chat_messages.sender_id = erasure.user_id)
    and not exists (select from chat_reactions where chat_reactions.user_id = erasure.user_id)
  returning erasure.user_id
)
delete from chat_storage using ended where chat_storage.user_id = ended.user_id;

-- name: DeleteUnsentPictures :many
-- Removes pictures that were uploaded and not sent.
delete from chat_pictures where id in (
  select id from chat_pictures where sequence is null and uploaded_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteOldChatQuotas :many
-- Removes some counts of begun conversations whose window is over.
delete from chat_quotas where user_id in (
  select user_id from chat_quotas where began_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteAbandonedMessages :many
-- Removes messages of conversations without members, from what is stored of their senders, too.
with removed as (
  delete from chat_messages where (conversation_id, sequence) in (
    select message.conversation_id, message.sequence
    from chat_conversations as conversation join chat_messages as message on message.conversation_id = conversation.id
    where conversation.abandoned_at <= :moment
    limit :limit
    for update of message skip locked
  ) returning sender_id, notice, text
), freed as (
  select sender_id, count(*) as messages, sum(octet_length(text)) as bytes
  from removed where sender_id is not null and notice is null group by sender_id
), held as (
  select user_id from chat_storage where user_id in (select sender_id from freed) order by user_id for no key update
), counted as (
  update chat_storage
  set messages = greatest(0, chat_storage.messages - freed.messages), bytes = greatest(0, chat_storage.bytes - freed.bytes)
  from freed join held on held.user_id = freed.sender_id
  where chat_storage.user_id = freed.sender_id
)
select 1 as "removed!" from removed;

-- name: DeleteAbandonedConversations :many
-- Removes conversations without members, once they have no messages.
delete from chat_conversations where id in (
  select id from chat_conversations as conversation
  where conversation.abandoned_at <= :moment
    and not exists (select from chat_messages where chat_messages.conversation_id = conversation.id)
  limit :limit
  for update skip locked
) returning 1 as "removed!";

-- name: MessagesWithoutWords :many
-- Locks some messages of which only the text is stored, and not yet the words that are searched; those that others have locked come later.
select conversation_id, sequence, text from chat_messages
where words is null and notice is null and deleted_at is null
limit :limit
for no key update skip locked;

-- name: PutWords :exec
-- Stores the words that are searched of messages, which are locked.
update chat_messages set words = found.words::tsvector
from unnest(:conversation_ids::uuid[], :sequences::bigint[], :words::text[]) as found (conversation_id, sequence, words)
where chat_messages.conversation_id = found.conversation_id and chat_messages.sequence = found.sequence;
