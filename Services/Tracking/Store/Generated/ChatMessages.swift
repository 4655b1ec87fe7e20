// Made from chat_messages.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// The columns of a row `message` with its reactions, joined by {{reactions_of_message}}.
package struct MessageColumns: Sendable {
  package let sequence: Int64
  package let senderID: UserID?
  package let clientMessageID: ClientMessageID?
  package let messageNotice: SystemNotice?
  package let text: String
  package let replyTo: Int64?
  package let pictureID: ChatPictureID?
  package let createdAt: Instant
  package let editedAt: Instant?
  package let deletedAt: Instant?
  package let revision: Int64
  package let reactionUserIDs: [UserID]
  package let reactionEmojis: [String]

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> MessageColumns {
    MessageColumns(
      sequence: try row.next(), senderID: try row.next(), clientMessageID: try row.next(),
      messageNotice: try row.next(), text: try row.next(), replyTo: try row.next(), pictureID: try row.next(),
      createdAt: try row.next(), editedAt: try row.next(), deletedAt: try row.next(), revision: try row.next(),
      reactionUserIDs: try row.next(), reactionEmojis: try row.next())
  }
}

/// Locks conversations until the transaction ends, in the order of their ids: what the next statement sees of them is current.
package struct LockConversations: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    select id from chat_conversations where id = any($1) order by id for no key update
    """
  package let conversationIDs: [ConversationID]

  package init(conversationIDs: [ConversationID]) {
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks what is stored of users in conversations until the transaction ends, in the order of their ids, after the conversations: a quota is judged by
/// what all others have stored.
package struct LockChatStorage: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let messages: Int64
    package let bytes: Int64
  }

  package static let sql = """
    select user_id, messages, bytes from chat_storage where user_id = any($1) order by user_id for no key update
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), messages: try row.next(), bytes: try row.next())
  }
}

/// Adds messages to conversations that the transaction has locked, and what is stored of the senders with them, each with the next number, and
/// says of each what became of it. No two may have the same client message id, or the same picture ([TR-32], [TR-34]).
package struct AppendMessages: Statement {
  package struct Row: Sendable {
    package let place: Int32
    package let outcome: SendOutcome
    package let sequence: Int64
    package let createdAt: Instant
  }

  package static let sql = """
    with sent as (
      select *
      from unnest(
        $1::integer[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[],
        $7::bigint[], $8::uuid[], $9::boolean[]
      ) as sent (place, conversation_id, sender_id, client_message_id, text, words, reply_to, picture_id, has_picture)
    ), judged as (
      select
        sent.*, conversation.last_sequence, known.sequence as known_sequence, known.created_at as known_created_at,
        case
          when member.user_id is null then 'CONVERSATION_NOT_FOUND'
          when conversation.kind = 'DIRECT' and not (not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )) then 'CONVERSATION_NOT_FOUND'
          when known.sequence is not null then 'STORED'
          when not is_online(sent.conversation_id, sent.sender_id) then 'OFFLINE'
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
      select
        judged.*,
        case
          when judged.outcome <> 'STORED' or judged.known_sequence is not null then judged.outcome
          when coalesce(storage.messages, 0) + row_number() over own > $10 then 'TOO_MANY_MESSAGES'
          when coalesce(storage.bytes, 0) + sum(octet_length(judged.text)) over own > $11 then 'TOO_MANY_BYTES'
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
        case when has_picture then picture_id end, $12
      from numbered
    ), advanced as (
      update chat_conversations
      set last_sequence = last.sequence, notice_due_at = coalesce(notice_due_at, $13)
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
      decided.place as place, decided.decision as outcome, coalesce(decided.known_sequence, numbered.sequence, 0) as sequence,
      coalesce(decided.known_created_at, $12) as created_at
    from decided left join numbered on numbered.place = decided.place
    """
  /// What the caller calls each message.
  package let places: [Int32]
  package let conversationIDs: [ConversationID]
  package let userIDs: [UserID]
  package let clientMessageIDs: [ClientMessageID]
  package let texts: [String]
  package let words: [String]
  /// 0 for none.
  package let replies: [Int64]
  package let pictureIDs: [ChatPictureID]
  /// Whether the picture's id at this place means anything.
  package let hasPictures: [Bool]
  /// The most that may be stored of a sender.
  package let maxMessages: Int64
  /// The most of their texts. A message that exceeds it counts against those that the sender has behind it in the batch.
  package let maxBytes: Int64
  package let now: Instant
  /// When members who are offline are to be notified.
  package let dueAt: Instant

  package init(
    places: [Int32], conversationIDs: [ConversationID], userIDs: [UserID], clientMessageIDs: [ClientMessageID],
    texts: [String], words: [String], replies: [Int64], pictureIDs: [ChatPictureID], hasPictures: [Bool],
    maxMessages: Int64, maxBytes: Int64, now: Instant, dueAt: Instant) {
    self.places = places
    self.conversationIDs = conversationIDs
    self.userIDs = userIDs
    self.clientMessageIDs = clientMessageIDs
    self.texts = texts
    self.words = words
    self.replies = replies
    self.pictureIDs = pictureIDs
    self.hasPictures = hasPictures
    self.maxMessages = maxMessages
    self.maxBytes = maxBytes
    self.now = now
    self.dueAt = dueAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(places)
    p.append(conversationIDs)
    p.append(userIDs)
    p.append(clientMessageIDs)
    p.append(texts)
    p.append(words)
    p.append(replies)
    p.append(pictureIDs)
    p.append(hasPictures)
    p.append(maxMessages)
    p.append(maxBytes)
    p.append(now)
    p.append(dueAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(place: try row.next(), outcome: try row.next(), sequence: try row.next(), createdAt: try row.next())
  }
}

/// What follows a position in a conversation: first earlier messages that changed after it, in the order of their changes, then later messages in
/// the order of their numbers; of both at most `limit`. Each row has the version of the members at the same moment.
package struct MessagesAfter: Statement {
  package struct Row: Sendable {
    package let message: StoredMessage
    package let memberVersion: Int64
    package let isChange: Bool
  }

  package static let sql = """
    select message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis, conversation.member_version, message.sequence <= $1 as is_change
    from (
      (
        select * from chat_messages
        where conversation_id = $2 and revision > $3 and revision > 0 and sequence <= $1
          and sequence >= $4
        order by revision
        limit $5
      )
      union all
      (
        select * from chat_messages
        where conversation_id = $2 and sequence > $1 and sequence >= $4
        order by sequence
        limit $5
      )
    ) as message
    join chat_conversations as conversation on conversation.id = message.conversation_id
    left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    order by message.sequence > $1, case when message.sequence > $1 then message.sequence else message.revision end
    """
  package let sequence: Int64
  package let conversationID: ConversationID
  package let revision: Int64
  /// Earlier messages are left out.
  package let firstSequence: Int64
  package let limit: Int64

  package init(sequence: Int64, conversationID: ConversationID, revision: Int64, firstSequence: Int64, limit: Int64) {
    self.sequence = sequence
    self.conversationID = conversationID
    self.revision = revision
    self.firstSequence = firstSequence
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(sequence)
    p.append(conversationID)
    p.append(revision)
    p.append(firstSequence)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(message: try StoredMessage(MessageColumns.decode(row)), memberVersion: try row.next(), isChange: try row.next())
  }
}

/// A page of the messages that a member sees before a number, the last one first ([TR-33]).
package struct MessagesBefore: Statement {
  package typealias Row = StoredMessage
  package static let sql = """
    select message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from chat_messages as message left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    where message.conversation_id = $1 and message.sequence < $2
      and message.sequence >= (
      select member.first_sequence
      from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
      where member.conversation_id = $1 and member.user_id = $3 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    )
    order by message.sequence desc
    limit $4
    """
  package let conversationID: ConversationID
  package let before: Int64
  package let userID: UserID
  package let limit: Int64

  package init(conversationID: ConversationID, before: Int64, userID: UserID, limit: Int64) {
    self.conversationID = conversationID
    self.before = before
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(before)
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredMessage(MessageColumns.decode(row))
  }
}

/// A page of the messages that a member sees after a number, the first one first ([TR-33]).
package struct MessagesBehind: Statement {
  package typealias Row = StoredMessage
  package static let sql = """
    select message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from chat_messages as message left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    where message.conversation_id = $1 and message.sequence > $2
      and message.sequence >= (
      select member.first_sequence
      from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
      where member.conversation_id = $1 and member.user_id = $3 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    )
    order by message.sequence
    limit $4
    """
  package let conversationID: ConversationID
  package let after: Int64
  package let userID: UserID
  package let limit: Int64

  package init(conversationID: ConversationID, after: Int64, userID: UserID, limit: Int64) {
    self.conversationID = conversationID
    self.after = after
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(after)
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredMessage(MessageColumns.decode(row))
  }
}

/// A message with what decides whether the member may change it; no row if the member does not see it.
package struct MessageOfMember: SingleRowStatement {
  package typealias Row = StoredMessage
  package static let sql = """
    select message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from chat_messages as message
    join chat_conversations as conversation on conversation.id = message.conversation_id
    join chat_members as member on member.conversation_id = message.conversation_id and member.user_id = $1
    left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    where message.conversation_id = $2 and message.sequence = $3 and message.sequence >= member.first_sequence
      and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    """
  package let userID: UserID
  package let conversationID: ConversationID
  package let sequence: Int64

  package init(userID: UserID, conversationID: ConversationID, sequence: Int64) {
    self.userID = userID
    self.conversationID = conversationID
    self.sequence = sequence
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(conversationID)
    p.append(sequence)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredMessage(MessageColumns.decode(row))
  }
}

/// A message of a member, also one from before the member joined again, which only lists do not show; no row if it is another's.
package struct OwnMessage: SingleRowStatement {
  package typealias Row = StoredMessage
  package static let sql = """
    select message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from chat_messages as message
    join chat_conversations as conversation on conversation.id = message.conversation_id
    join chat_members as member on member.conversation_id = message.conversation_id and member.user_id = $1
    left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    where message.conversation_id = $2 and message.sequence = $3 and message.sender_id = $1
      and message.notice is null and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    """
  package let userID: UserID
  package let conversationID: ConversationID
  package let sequence: Int64

  package init(userID: UserID, conversationID: ConversationID, sequence: Int64) {
    self.userID = userID
    self.conversationID = conversationID
    self.sequence = sequence
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(conversationID)
    p.append(sequence)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredMessage(MessageColumns.decode(row))
  }
}

/// What is stored of a user in conversations; pictures are counted now.
package struct ChatStorageOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let messages: Int64?
    package let bytes: Int64?
    package let pictures: Int64
  }

  package static let sql = """
    select
      (select messages from chat_storage where user_id = $1) as messages,
      (select bytes from chat_storage where user_id = $1) as bytes,
      (select count(*) from chat_pictures where uploader_id = $1) as pictures
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(messages: try row.next(), bytes: try row.next(), pictures: try row.next())
  }
}

/// Before EditText, in the same transaction: words that an edit leaves as they were look to the trigger as if the text had been changed without
/// them.
package struct ForgetWords: Statement {
  package typealias Row = Void
  package static let sql = """
    update chat_messages set words = null where conversation_id = $1 and sequence = $2
    """
  package let conversationID: ConversationID
  package let sequence: Int64

  package init(conversationID: ConversationID, sequence: Int64) {
    self.conversationID = conversationID
    self.sequence = sequence
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(sequence)
  }
}

/// Replaces the text of a message of a conversation that the transaction has locked.
package struct EditText: Statement {
  package typealias Row = Void
  package static let sql = """
    with advanced as (
      update chat_conversations set last_revision = last_revision + 1 where id = $1 returning last_revision
    ), counted as (
      update chat_storage set bytes = greatest(0, chat_storage.bytes - octet_length(message.text) + octet_length($2))
      from chat_messages as message
      where message.conversation_id = $1 and message.sequence = $3 and chat_storage.user_id = message.sender_id
    )
    update chat_messages set text = $2, words = $4::text::tsvector, edited_at = $5, revision = advanced.last_revision
    from advanced where conversation_id = $1 and sequence = $3
    """
  package let conversationID: ConversationID
  package let text: String
  package let sequence: Int64
  package let words: String
  package let now: Instant

  package init(conversationID: ConversationID, text: String, sequence: Int64, words: String, now: Instant) {
    self.conversationID = conversationID
    self.text = text
    self.sequence = sequence
    self.words = words
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(text)
    p.append(sequence)
    p.append(words)
    p.append(now)
  }
}

/// Removes the text, picture and reactions of a message of a conversation that the transaction has locked ([TR-33]).
package struct DeleteContent: Statement {
  package typealias Row = Void
  package static let sql = """
    with advanced as (
      update chat_conversations set last_revision = last_revision + 1 where id = $1 returning last_revision
    ), counted as (
      update chat_storage set bytes = greatest(0, chat_storage.bytes - octet_length(message.text))
      from chat_messages as message
      where message.conversation_id = $1 and message.sequence = $2 and chat_storage.user_id = message.sender_id
    ), reactions as (
      delete from chat_reactions where conversation_id = $1 and sequence = $2
    ), picture as (
      delete from chat_pictures where conversation_id = $1 and sequence = $2
    )
    update chat_messages
    set text = '', words = null, picture_id = null, reply_to = null, has_reactions = false, deleted_at = $3, revision = advanced.last_revision
    from advanced where conversation_id = $1 and sequence = $2
    """
  package let conversationID: ConversationID
  package let sequence: Int64
  package let now: Instant

  package init(conversationID: ConversationID, sequence: Int64, now: Instant) {
    self.conversationID = conversationID
    self.sequence = sequence
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(sequence)
    p.append(now)
  }
}

/// Sets or removes the reaction of a user to a message of a conversation that the transaction has locked.
package struct SetReaction: Statement {
  package typealias Row = Void
  package static let sql = """
    with advanced as (
      update chat_conversations set last_revision = last_revision + 1 where id = $1 returning last_revision
    ), removed as (
      delete from chat_reactions
      where conversation_id = $1 and sequence = $2 and user_id = $3 and $4::text is null
    ), stored as (
      insert into chat_reactions (conversation_id, sequence, user_id, emoji)
      select $1, $2, $3, $4::text where $4::text is not null
      on conflict on constraint chat_reactions_pkey do update set emoji = excluded.emoji
    )
    update chat_messages
    set revision = advanced.last_revision, has_reactions = $4::text is not null or exists (
      select from chat_reactions
      where chat_reactions.conversation_id = $1 and chat_reactions.sequence = $2 and user_id <> $3
    )
    from advanced where chat_messages.conversation_id = $1 and chat_messages.sequence = $2
    """
  package let conversationID: ConversationID
  package let sequence: Int64
  package let userID: UserID
  /// `nil` removes it.
  package let emoji: String?

  package init(conversationID: ConversationID, sequence: Int64, userID: UserID, emoji: String?) {
    self.conversationID = conversationID
    self.sequence = sequence
    self.userID = userID
    self.emoji = emoji
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(sequence)
    p.append(userID)
    p.append(emoji)
  }
}

/// A page of the messages that a user sees and that have the words of a query, the newest first; without those of users
/// whom the user has blocked, or who have blocked the user ([C-10]). The index is asked for 32 of the user's conversations at
/// a time: one at a time costs a look each, and the time for many at a time grows with their square. A message that was
/// stored without words is found once they are added.
package struct FoundMessages: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let message: StoredMessage
  }

  package static let pace = Pace.slow
  package static let sql = """
    select message.conversation_id, message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from (
      select string_agg('''#' || id::text || '''', ' | ')::tsquery as words
      from (
        select conversation.id, (row_number() over (order by conversation.id) - 1) / 32 as part
        from chat_members as member
        join chat_conversations as conversation on conversation.id = member.conversation_id
        where member.user_id = $1 and ($2::uuid is null or member.conversation_id = $2)
          and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
      ) as own
      group by part
    ) as conversations
    cross join lateral (
      select message.*
      from chat_messages as message
      where (message.words || array_to_tsvector(array['#' || message.conversation_id::text])) @@ ($3::text::tsquery && conversations.words)
        and message.words is not null
        and message.sequence >= (
          select first_sequence from chat_members
          where chat_members.conversation_id = message.conversation_id and chat_members.user_id = $1
        )
        and not exists (
      select from blocks
      where (blocker_id = message.sender_id and blocked_id = $1) or (blocker_id = $1 and blocked_id = message.sender_id)
    )
        and (
          $4::timestamptz is null
          or (message.created_at, message.conversation_id, message.sequence) < ($4, $5::uuid, $6::bigint)
        )
      order by message.created_at desc, message.conversation_id desc, message.sequence desc
      limit $7
    ) as message
    left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    order by message.created_at desc, message.conversation_id desc, message.sequence desc
    limit $7
    """
  package let userID: UserID
  package let onlyConversationID: UUID7?
  /// As `SearchedWords` has them.
  package let words: String
  /// `nil` for the first page.
  package let beforeAt: Instant?
  package let beforeConversationID: UUID7?
  package let beforeSequence: Int64?
  package let limit: Int64

  package init(
    userID: UserID, onlyConversationID: UUID7?, words: String, beforeAt: Instant?, beforeConversationID: UUID7?,
    beforeSequence: Int64?, limit: Int64) {
    self.userID = userID
    self.onlyConversationID = onlyConversationID
    self.words = words
    self.beforeAt = beforeAt
    self.beforeConversationID = beforeConversationID
    self.beforeSequence = beforeSequence
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(onlyConversationID)
    p.append(words)
    p.append(beforeAt)
    p.append(beforeConversationID)
    p.append(beforeSequence)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), message: try StoredMessage(MessageColumns.decode(row)))
  }
}
