// Made from chat_upkeep.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Locks conversations of whose new messages offline members are to be notified by now ([TR-32], [TR-35]).
package struct DueChatNotices: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    select id as conversation_id from chat_conversations
    where id in (
      (select id from chat_conversations where notice_due_at <= $1 order by notice_due_at limit $2)
      union
      (select conversation_id from chat_members where notice_due_at <= $1 order by notice_due_at limit $2)
    )
    order by id
    limit $2
    for no key update skip locked
    """
  package let now: Instant
  package let limit: Int64

  package init(now: Instant, limit: Int64) {
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the members of locked conversations who are not notified yet, in the order of their ids: one who comes online meanwhile waits for it, and
/// may be notified again later.
package struct HoldMembersToNotify: Statement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from chat_members where conversation_id = any($1) and not is_notified
    order by conversation_id, user_id for no key update
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

/// The members of locked conversations to be notified: offline, not notified since they were here,
/// with messages that they have not read, and that came when they were not reachable any more;
/// messages between users of whom one has blocked the other do not count ([C-10]).
package struct TakeChatNotices: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let userID: UserID
    /// The sender of the last such message.
    package let senderID: UserID?
    package let lastSequence: Int64
    package let name: String
  }

  package static let sql = """
    with settled as (
      update chat_conversations set notice_due_at = null where id = any($1)
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
          and not exists (
      select from blocks
      where (blocker_id = unread.sender_id and blocked_id = member.user_id) or (blocker_id = member.user_id and blocked_id = unread.sender_id)
    )
        order by unread.sequence desc
        limit 1
      ) as unread on true
      where member.conversation_id = any($1) and not member.is_notified
        and not is_online(member.conversation_id, member.user_id) and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    ), notified as (
      update chat_members as member set is_notified = member.is_notified or due.user_id is not null, notice_due_at = null
      from chat_members as same
      left join due on due.conversation_id = same.conversation_id and due.user_id = same.user_id
      where same.conversation_id = any($1) and (due.user_id is not null or same.notice_due_at is not null)
        and member.conversation_id = same.conversation_id and member.user_id = same.user_id
    )
    select
      conversation_id as conversation_id, user_id as user_id, sender_id, last_sequence as last_sequence, name as name
    from due order by conversation_id, sender_id, user_id
    """
  package let conversationIDs: [ConversationID]

  package init(conversationIDs: [ConversationID]) {
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      conversationID: try row.next(), userID: try row.next(), senderID: try row.next(), lastSequence: try row.next(),
      name: try row.next())
  }
}

/// Locks a user of whom something is to be removed, or nothing is left. Between the two are members of groups, which identity has yet to report
/// as removed: what such a user sent at the last moment is still removed. One by chance, so that none waits for ever behind one whose removal fails.
package struct DueErasure: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from chat_erasures as erasure
    where not exists (select from chat_members where chat_members.user_id = erasure.user_id)
      or exists (select from chat_messages where chat_messages.sender_id = erasure.user_id)
      or exists (select from chat_reactions where chat_reactions.user_id = erasure.user_id)
    order by random()
    limit 1
    for update skip locked
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some messages of a user, the conversations first in the order of their ids.
package struct MessagesToErase: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let sequence: Int64
  }

  package static let sql = """
    select conversation_id, sequence from chat_messages where sender_id = $1 order by conversation_id, sequence limit $2
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), sequence: try row.next())
  }
}

/// Some messages to which a user has reacted.
package struct ReactionsToErase: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let sequence: Int64
  }

  package static let sql = """
    select conversation_id, sequence from chat_reactions where user_id = $1 order by conversation_id, sequence limit $2
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), sequence: try row.next())
  }
}

/// Removes the content of messages of a user who deleted the account, and that they are the user's; the conversations are locked ([C-9]).
package struct EraseMessages: Statement {
  package typealias Row = Void
  package static let sql = """
    with erased as (
      select message.conversation_id, message.sequence, row_number() over (partition by message.conversation_id order by message.sequence) as number
      from chat_messages as message
      join unnest($1::uuid[], $2::bigint[]) as named (conversation_id, sequence)
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
      deleted_at = case when message.notice is null then coalesce(message.deleted_at, $3) end,
      revision = advanced.revision + erased.number
    from erased join advanced on advanced.id = erased.conversation_id
    where message.conversation_id = erased.conversation_id and message.sequence = erased.sequence
    """
  package let conversationIDs: [ConversationID]
  package let sequences: [Int64]
  package let now: Instant

  package init(conversationIDs: [ConversationID], sequences: [Int64], now: Instant) {
    self.conversationIDs = conversationIDs
    self.sequences = sequences
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(sequences)
    p.append(now)
  }
}

/// Nothing is left of a user who is no member any more, so that nothing follows.
package struct EndErasure: Statement {
  package typealias Row = Void
  package static let sql = """
    with ended as (
      delete from chat_erasures as erasure
      where user_id = $1
        and not exists (select from chat_members where chat_members.user_id = erasure.user_id)
        and not exists (select from chat_messages where chat_messages.sender_id = erasure.user_id)
        and not exists (select from chat_reactions where chat_reactions.user_id = erasure.user_id)
      returning erasure.user_id
    )
    delete from chat_storage using ended where chat_storage.user_id = ended.user_id
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes pictures that were uploaded and not sent.
package struct DeleteUnsentPictures: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from chat_pictures where id in (
      select id from chat_pictures where sequence is null and uploaded_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some counts of begun conversations whose window is over.
package struct DeleteOldChatQuotas: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from chat_quotas where user_id in (
      select user_id from chat_quotas where began_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes messages of conversations without members, from what is stored of their senders, too.
package struct DeleteAbandonedMessages: Statement {
  package typealias Row = Int32
  package static let sql = """
    with removed as (
      delete from chat_messages where (conversation_id, sequence) in (
        select message.conversation_id, message.sequence
        from chat_conversations as conversation join chat_messages as message on message.conversation_id = conversation.id
        where conversation.abandoned_at <= $1
        limit $2
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
    select 1 as removed from removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes conversations without members, once they have no messages.
package struct DeleteAbandonedConversations: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from chat_conversations where id in (
      select id from chat_conversations as conversation
      where conversation.abandoned_at <= $1
        and not exists (select from chat_messages where chat_messages.conversation_id = conversation.id)
      limit $2
      for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks some messages of which only the text is stored, and not yet the words that are searched; those that others have locked come later.
package struct MessagesWithoutWords: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let sequence: Int64
    package let text: String
  }

  package static let sql = """
    select conversation_id, sequence, text from chat_messages
    where words is null and notice is null and deleted_at is null
    limit $1
    for no key update skip locked
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), sequence: try row.next(), text: try row.next())
  }
}

/// Stores the words that are searched of messages, which are locked.
package struct PutWords: Statement {
  package typealias Row = Void
  package static let sql = """
    update chat_messages set words = found.words::tsvector
    from unnest($1::uuid[], $2::bigint[], $3::text[]) as found (conversation_id, sequence, words)
    where chat_messages.conversation_id = found.conversation_id and chat_messages.sequence = found.sequence
    """
  package let conversationIDs: [ConversationID]
  package let sequences: [Int64]
  package let words: [String]

  package init(conversationIDs: [ConversationID], sequences: [Int64], words: [String]) {
    self.conversationIDs = conversationIDs
    self.sequences = sequences
    self.words = words
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(sequences)
    p.append(words)
  }
}
