-- columns: MessageColumns as StoredMessage
-- The columns of a row `message` with its reactions, joined by {{reactions_of_message}}.
message.sequence as "sequence!", message.sender_id, message.client_message_id,
message.notice as message_notice, message.text as "text!", message.reply_to, message.picture_id,
message.created_at as "created_at!", message.edited_at, message.deleted_at, message.revision as "revision!",
coalesce(reaction.user_ids, '{}') as "reaction_user_ids!", coalesce(reaction.emojis, '{}') as "reaction_emojis!";

-- fragment: reactions_of_message
-- Looked up for messages that have any.
left join lateral (
  select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
  from chat_reactions
  where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
) as reaction on message.has_reactions;

-- fragment: is_online(conversation, user)
-- Whether a process whose lease runs has a stream of the user with the conversation open.
is_online({{conversation}}, {{user}});

-- fragment: may_talk(conversation)
-- False for a direct conversation between users of whom one has blocked the other ([C-10]).
not {{blocked({{conversation}}.first_user_id, {{conversation}}.second_user_id)}};

-- name: LockConversations :many
-- Locks conversations until the transaction ends, in the order of their ids: what the next statement sees of them is current.
select id from chat_conversations where id = any(:conversation_ids) order by id for no key update;

-- name: LockChatStorage :many
-- Locks what is stored of users in conversations until the transaction ends, in the order of their ids, after the conversations: a quota is judged by
-- what all others have stored.
select user_id, messages, bytes from chat_storage where user_id = any(:user_ids) order by user_id for no key update;

-- name: AppendMessages :many
-- Adds messages to conversations that the transaction has locked, and what is stored of the senders with them, each with the next number, and
-- says of each what became of it. No two may have the same client message id, or the same picture ([TR-32], [TR-34]).
-- @places: What the caller calls each message.
-- @replies: 0 for none.
-- @has_pictures: Whether the picture's id at this place means anything.
-- @due_at: When members who are offline are to be notified.
-- @max_messages: The most that may be stored of a sender.
-- @max_bytes: The most of their texts. A message that exceeds it counts against those that the sender has behind it in the batch.
-- @outcome SendOutcome
with sent as (
  select *
  from unnest(
    :places::integer[], :conversation_ids::uuid[], :user_ids::uuid[], :client_message_ids::uuid[], :texts::text[], :words::text[],
    :replies::bigint[], :picture_ids::uuid[], :has_pictures::boolean[]
  ) as sent (place, conversation_id, sender_id, client_message_id, text, words, reply_to, picture_id, has_picture)
), judged as (
  select
    sent.*, conversation.last_sequence, known.sequence as known_sequence, known.created_at as known_created_at,
    case
      when member.user_id is null then 'CONVERSATION_NOT_FOUND'
      when conversation.kind = 'DIRECT' and not ({{may_talk(conversation)}}) then 'CONVERSATION_NOT_FOUND'
      when known.sequence is not null then 'STORED'
      when not {{is_online(sent.conversation_id, sent.sender_id)}} then 'OFFLINE'
      when conversation.kind = 'DIRECT' and (conversation.first_user_id is null or conversation.second_user_id is null)
        then 'RECIPIENT_GONE'
      when sent.reply_to > 0 and replied.sequence is null then 'REPLIED_MESSAGE_NOT_FOUND'
      when sent.has_picture and picture.id is null then 'PICTURE_NOT_FOUND'
      when sent.has_picture and picture.sequence is not null then 'PICTURE_USED'
      else 'STORED'
    end as outcome
  from sent
  left join chat_conversations as conversation on conversation.id = sent.conversation_id
  left join chat_members as member on member.conversation_id = sent.conversation_id and member.user_id = sent.sender_id
  left join chat_messages as known
    on known.sender_id = sent.sender_id and known.conversation_id = sent.conversation_id
    and known.client_message_id = sent.client_message_id
  left join chat_messages as replied
    on sent.reply_to > 0 and replied.conversation_id = sent.conversation_id and replied.sequence = sent.reply_to
    and replied.sequence >= member.first_sequence and replied.deleted_at is null
  left join chat_pictures as picture
    on sent.has_picture and picture.id = sent.picture_id and picture.conversation_id = sent.conversation_id
    and picture.uploader_id = sent.sender_id
), decided as (
  -- Of each sender the new messages one after the other.
  select
    judged.*,
    case
      when judged.outcome <> 'STORED' or judged.known_sequence is not null then judged.outcome
      when coalesce(storage.messages, 0) + row_number() over own > :max_messages then 'TOO_MANY_MESSAGES'
      when coalesce(storage.bytes, 0) + sum(octet_length(judged.text)) over own > :max_bytes then 'TOO_MANY_BYTES'
      else 'STORED'
    end as decision
  from judged left join chat_storage as storage on storage.user_id = judged.sender_id
  window own as (partition by judged.sender_id, judged.outcome = 'STORED' and judged.known_sequence is null order by judged.place)
), numbered as (
  select *, last_sequence + row_number() over (partition by conversation_id order by place) as sequence
  from decided where decision = 'STORED' and known_sequence is null
), stored as (
  insert into chat_messages (conversation_id, sequence, sender_id, client_message_id, text, words, reply_to, picture_id, created_at)
  select
    conversation_id, sequence, sender_id, client_message_id, text, words::tsvector, nullif(reply_to, 0),
    case when has_picture then picture_id end, :now
  from numbered
), advanced as (
  update chat_conversations
  set last_sequence = last.sequence, notice_due_at = coalesce(notice_due_at, :due_at)
  from (select conversation_id, max(sequence) as sequence from numbered group by conversation_id) as last
  where id = last.conversation_id
), counted as (
  insert into chat_storage (user_id, messages, bytes)
  select sender_id, count(*), sum(octet_length(text)) from numbered group by sender_id order by sender_id
  on conflict on constraint chat_storage_pkey do update
  set messages = chat_storage.messages + excluded.messages, bytes = chat_storage.bytes + excluded.bytes
), shown as (
  update chat_pictures set sequence = numbered.sequence from numbered where numbered.has_picture and id = numbered.picture_id
)
select
  decided.place as "place!", decided.decision as "outcome!", coalesce(decided.known_sequence, numbered.sequence, 0) as "sequence!",
  coalesce(decided.known_created_at, :now) as "created_at!"
from decided left join numbered on numbered.place = decided.place;

-- name: MessagesAfter :many
-- What follows a position in a conversation: first earlier messages that changed after it, in the order of their changes, then later messages in
-- the order of their numbers; of both at most `limit`. Each row has the version of the members at the same moment.
-- @first_sequence: Earlier messages are left out.
select {{MessageColumns as message}}, conversation.member_version, message.sequence <= :sequence as "is_change!"
from (
  (
    select * from chat_messages
    where conversation_id = :conversation_id and revision > :revision and revision > 0 and sequence <= :sequence
      and sequence >= :first_sequence
    order by revision
    limit :limit
  )
  union all
  (
    select * from chat_messages
    where conversation_id = :conversation_id and sequence > :sequence and sequence >= :first_sequence
    order by sequence
    limit :limit
  )
) as message
join chat_conversations as conversation on conversation.id = message.conversation_id
{{reactions_of_message}}
order by message.sequence > :sequence, case when message.sequence > :sequence then message.sequence else message.revision end;

-- fragment: first_visible(conversation, user)
-- The first message of a conversation that a user sees; null, which no number reaches, for one who is not a member or
-- may not talk there now ([TR-34]). Read in the statement that reads the messages, so that nothing changes in between.
(
  select member.first_sequence
  from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
  where member.conversation_id = {{conversation}} and member.user_id = {{user}} and {{may_talk(conversation)}}
);

-- name: MessagesBefore :many
-- A page of the messages that a member sees before a number, the last one first ([TR-33]).
select {{MessageColumns}}
from chat_messages as message {{reactions_of_message}}
where message.conversation_id = :conversation_id and message.sequence < :before
  and message.sequence >= {{first_visible(:conversation_id, :user_id)}}
order by message.sequence desc
limit :limit;

-- name: MessagesBehind :many
-- A page of the messages that a member sees after a number, the first one first ([TR-33]).
select {{MessageColumns}}
from chat_messages as message {{reactions_of_message}}
where message.conversation_id = :conversation_id and message.sequence > :after
  and message.sequence >= {{first_visible(:conversation_id, :user_id)}}
order by message.sequence
limit :limit;

-- name: MessageOfMember :one
-- A message with what decides whether the member may change it; no row if the member does not see it.
select {{MessageColumns}}
from chat_messages as message
join chat_conversations as conversation on conversation.id = message.conversation_id
join chat_members as member on member.conversation_id = message.conversation_id and member.user_id = :user_id
{{reactions_of_message}}
where message.conversation_id = :conversation_id and message.sequence = :sequence and message.sequence >= member.first_sequence
  and {{may_talk(conversation)}};

-- name: OwnMessage :one
-- A message of a member, also one from before the member joined again, which only lists do not show; no row if it is another's.
select {{MessageColumns}}
from chat_messages as message
join chat_conversations as conversation on conversation.id = message.conversation_id
join chat_members as member on member.conversation_id = message.conversation_id and member.user_id = :user_id
{{reactions_of_message}}
where message.conversation_id = :conversation_id and message.sequence = :sequence and message.sender_id = :user_id
  and message.notice is null and {{may_talk(conversation)}};

-- name: ChatStorageOfUser :one
-- What is stored of a user in conversations; pictures are counted now.
select
  (select messages from chat_storage where user_id = :user_id) as messages,
  (select bytes from chat_storage where user_id = :user_id) as bytes,
  (select count(*) from chat_pictures where uploader_id = :user_id) as "pictures!";

-- name: ForgetWords :exec
-- Before EditText, in the same transaction: words that an edit leaves as they were look to the trigger as if the text had been changed without
-- them.
update chat_messages set words = null where conversation_id = :conversation_id and sequence = :sequence;

-- name: EditText :exec
-- Replaces the text of a message of a conversation that the transaction has locked.
with advanced as (
  update chat_conversations set last_revision = last_revision + 1 where id = :conversation_id returning last_revision
), counted as (
  update chat_storage set bytes = greatest(0, chat_storage.bytes - octet_length(message.text) + octet_length(:text))
  from chat_messages as message
  where message.conversation_id = :conversation_id and message.sequence = :sequence and chat_storage.user_id = message.sender_id
)
update chat_messages set text = :text, words = :words::text::tsvector, edited_at = :now, revision = advanced.last_revision
from advanced where conversation_id = :conversation_id and sequence = :sequence;

-- name: DeleteContent :exec
-- Removes the text, picture and reactions of a message of a conversation that the transaction has locked ([TR-33]).
with advanced as (
  update chat_conversations set last_revision = last_revision + 1 where id = :conversation_id returning last_revision
), counted as (
  update chat_storage set bytes = greatest(0, chat_storage.bytes - octet_length(message.text))
  from chat_messages as message
  where message.conversation_id = :conversation_id and message.sequence = :sequence and chat_storage.user_id = message.sender_id
), reactions as (
  delete from chat_reactions where conversation_id = :conversation_id and sequence = :sequence
), picture as (
  delete from chat_pictures where conversation_id = :conversation_id and sequence = :sequence
)
update chat_messages
set text = '', words = null, picture_id = null, reply_to = null, has_reactions = false, deleted_at = :now, revision = advanced.last_revision
from advanced where conversation_id = :conversation_id and sequence = :sequence;

-- name: SetReaction :exec
-- Sets or removes the reaction of a user to a message of a conversation that the transaction has locked.
-- @emoji: `nil` removes it.
with advanced as (
  update chat_conversations set last_revision = last_revision + 1 where id = :conversation_id returning last_revision
), removed as (
  delete from chat_reactions
  where conversation_id = :conversation_id and sequence = :sequence and user_id = :user_id and :emoji?::text is null
), stored as (
  insert into chat_reactions (conversation_id, sequence, user_id, emoji)
  select :conversation_id, :sequence, :user_id, :emoji?::text where :emoji?::text is not null
  on conflict on constraint chat_reactions_pkey do update set emoji = excluded.emoji
)
update chat_messages
set revision = advanced.last_revision, has_reactions = :emoji?::text is not null or exists (
  select from chat_reactions
  where chat_reactions.conversation_id = :conversation_id and chat_reactions.sequence = :sequence and user_id <> :user_id
)
from advanced where chat_messages.conversation_id = :conversation_id and chat_messages.sequence = :sequence;

-- fragment: message_words(message)
-- What is searched of a message: its words, and a word that no query has for its conversation. So the index finds a word within one conversation,
-- whatever others write. The expression of chat_messages_words_idx.
({{message}}.words || array_to_tsvector(array['#' || {{message}}.conversation_id::text]));

-- name: FoundMessages :many slow
-- A page of the messages that a user sees and that have the words of a query, the newest first; without those of users
-- whom the user has blocked, or who have blocked the user ([C-10]). The index is asked for 32 of the user's conversations at
-- a time: one at a time costs a look each, and the time for many at a time grows with their square. A message that was
-- stored without words is found once they are added.
-- @words: As `SearchedWords` has them.
-- @before_at: `nil` for the first page.
select message.conversation_id, {{MessageColumns}}
from (
  select string_agg('''#' || id::text || '''', ' | ')::tsquery as words
  from (
    select conversation.id, (row_number() over (order by conversation.id) - 1) / 32 as part
    from chat_members as member
    join chat_conversations as conversation on conversation.id = member.conversation_id
    where member.user_id = :user_id and (:only_conversation_id?::uuid is null or member.conversation_id = :only_conversation_id?)
      and {{may_talk(conversation)}}
  ) as own
  group by part
) as conversations
cross join lateral (
  select message.*
  from chat_messages as message
  where {{message_words(message)}} @@ (:words::text::tsquery && conversations.words)
    and message.words is not null
    -- A look for each message, whatever the planner takes their number for: a join has compared each with all members.
    and message.sequence >= (
      select first_sequence from chat_members
      where chat_members.conversation_id = message.conversation_id and chat_members.user_id = :user_id
    )
    and not {{blocked(message.sender_id, :user_id)}}
    and (
      :before_at?::timestamptz is null
      or (message.created_at, message.conversation_id, message.sequence) < (:before_at?, :before_conversation_id?::uuid, :before_sequence?::bigint)
    )
  order by message.created_at desc, message.conversation_id desc, message.sequence desc
  limit :limit
) as message
{{reactions_of_message}}
order by message.created_at desc, message.conversation_id desc, message.sequence desc
limit :limit;
