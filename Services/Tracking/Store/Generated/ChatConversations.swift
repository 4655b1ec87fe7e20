// Made from chat_conversations.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// The columns of a row `conversation` as its row `member` sees it.
package struct ConversationColumns: Sendable, RowDecodable {
  package let id: ConversationID
  package let kind: ConversationKind
  package let name: String
  package let firstUserID: UserID?
  package let secondUserID: UserID?
  package let lastSequence: Int64
  package let lastRevision: Int64
  package let memberVersion: Int64
  package let firstSequence: Int64
  package let readSequence: Int64
  package let unread: Int32

  package init(
    id: ConversationID, kind: ConversationKind, name: String, firstUserID: UserID?, secondUserID: UserID?,
    lastSequence: Int64, lastRevision: Int64, memberVersion: Int64, firstSequence: Int64, readSequence: Int64,
    unread: Int32) {
    self.id = id
    self.kind = kind
    self.name = name
    self.firstUserID = firstUserID
    self.secondUserID = secondUserID
    self.lastSequence = lastSequence
    self.lastRevision = lastRevision
    self.memberVersion = memberVersion
    self.firstSequence = firstSequence
    self.readSequence = readSequence
    self.unread = unread
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ConversationColumns {
    ConversationColumns(
      id: try row.next(), kind: try row.next(), name: try row.next(), firstUserID: try row.next(),
      secondUserID: try row.next(), lastSequence: try row.next(), lastRevision: try row.next(),
      memberVersion: try row.next(), firstSequence: try row.next(), readSequence: try row.next(),
      unread: try row.next())
  }
}

/// A conversation as a member sees it; no row for another user, or where one of two has blocked the other ([C-10]).
package struct ConversationOfMember: SingleRowStatement {
  package typealias Row = ConversationColumns
  package static let sql = """
    select conversation.id, conversation.kind, coalesce(groups.name, '') as name, conversation.first_user_id, conversation.second_user_id,
    conversation.last_sequence, conversation.last_revision, conversation.member_version, member.first_sequence, member.read_sequence,
    (
      select count(*)::integer from chat_messages as unread
      where unread.conversation_id = member.conversation_id
        and unread.sequence > greatest(member.read_sequence, member.first_sequence - 1, conversation.last_sequence - 1000)
        and unread.sender_id is distinct from member.user_id and unread.notice is null and unread.deleted_at is null
    ) as unread
    from chat_members as member
    join chat_conversations as conversation on conversation.id = member.conversation_id
    left join groups on groups.id = conversation.id
    where member.user_id = $1 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    ) and member.conversation_id = $2
    """
  package let userID: UserID
  package let conversationID: ConversationID

  package init(userID: UserID, conversationID: ConversationID) {
    self.userID = userID
    self.conversationID = conversationID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(conversationID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ConversationColumns.decode(row)
  }
}

/// A page of a user's conversations, the newest first ([C-5]).
package struct ConversationsOfMember: Statement {
  package typealias Row = ConversationColumns
  package static let sql = """
    select conversation.id, conversation.kind, coalesce(groups.name, '') as name, conversation.first_user_id, conversation.second_user_id,
    conversation.last_sequence, conversation.last_revision, conversation.member_version, member.first_sequence, member.read_sequence,
    (
      select count(*)::integer from chat_messages as unread
      where unread.conversation_id = member.conversation_id
        and unread.sequence > greatest(member.read_sequence, member.first_sequence - 1, conversation.last_sequence - 1000)
        and unread.sender_id is distinct from member.user_id and unread.notice is null and unread.deleted_at is null
    ) as unread
    from chat_members as member
    join chat_conversations as conversation on conversation.id = member.conversation_id
    left join groups on groups.id = conversation.id
    where member.user_id = $1 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    and member.conversation_id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by member.conversation_id desc
    limit $3
    """
  package let userID: UserID
  /// The last conversation of the previous page.
  package let before: ConversationID?
  package let limit: Int64

  package init(userID: UserID, before: ConversationID?, limit: Int64) {
    self.userID = userID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ConversationColumns.decode(row)
  }
}

/// The last message of each of some conversations that a user sees.
package struct LastMessages: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let message: StoredMessage
  }

  package static let sql = """
    select message.conversation_id, message.sequence as sequence, message.sender_id, message.client_message_id,
    message.notice as message_notice, message.text as text, message.reply_to, message.picture_id,
    message.created_at as created_at, message.edited_at, message.deleted_at, message.revision as revision,
    coalesce(reaction.user_ids, '{}') as reaction_user_ids, coalesce(reaction.emojis, '{}') as reaction_emojis
    from unnest($1::uuid[]) as wanted (id)
    join chat_conversations as conversation on conversation.id = wanted.id
    join chat_messages as message on message.conversation_id = conversation.id and message.sequence = conversation.last_sequence
    join chat_members as member
      on member.conversation_id = conversation.id and member.user_id = $2
      and message.sequence >= member.first_sequence
    left join lateral (
      select array_agg(user_id order by user_id) as user_ids, array_agg(emoji order by user_id) as emojis
      from chat_reactions
      where chat_reactions.conversation_id = message.conversation_id and chat_reactions.sequence = message.sequence
    ) as reaction on message.has_reactions
    where not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    """
  package let conversationIDs: [ConversationID]
  package let userID: UserID

  package init(conversationIDs: [ConversationID], userID: UserID) {
    self.conversationIDs = conversationIDs
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), message: try StoredMessage(MessageColumns.decode(row)))
  }
}

/// What a member may see of a conversation; no row for another user, or where one of two has blocked the other ([C-10], [TR-34]).
package struct MemberAccess: SingleRowStatement {
  package struct Row: Sendable {
    package let kind: ConversationKind
    package let lastSequence: Int64
    package let lastRevision: Int64
    package let memberVersion: Int64
    package let firstSequence: Int64
    /// That of the numbers.
    package let epoch: Int64
  }

  package static let sql = """
    select
      conversation.kind, conversation.last_sequence, conversation.last_revision, conversation.member_version, member.first_sequence,
      (select event_log.transaction_offset + 1 from event_log) as epoch
    from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
    where member.conversation_id = $1 and member.user_id = $2 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    """
  package let conversationID: ConversationID
  package let userID: UserID

  package init(conversationID: ConversationID, userID: UserID) {
    self.conversationID = conversationID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      kind: try row.next(), lastSequence: try row.next(), lastRevision: try row.next(), memberVersion: try row.next(),
      firstSequence: try row.next(), epoch: try row.next())
  }
}

/// The members of a conversation, and where it is; none where one of two users has blocked the other ([C-10]).
package struct MembersOfConversation: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let firstSequence: Int64
    package let readSequence: Int64
    package let isOnline: Bool
    /// The members whom this one has blocked.
    package let blockedIDs: [UserID]
    package let lastSequence: Int64
    package let lastRevision: Int64
    package let memberVersion: Int64
    /// That of the numbers.
    package let epoch: Int64
  }

  package static let sql = """
    with blocking as materialized (
      select blocks.blocker_id, blocks.blocked_id
      from chat_members as blocker
      join blocks on blocks.blocker_id = blocker.user_id
      join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = blocks.blocked_id
      where blocker.conversation_id = $1
    )
    select
      member.user_id, member.first_sequence, member.read_sequence,
      is_online(member.conversation_id, member.user_id) as is_online,
      array(select blocked_id from blocking where blocker_id = member.user_id) as blocked_ids,
      conversation.last_sequence, conversation.last_revision, conversation.member_version, (select event_log.transaction_offset + 1 from event_log) as epoch
    from chat_members as member join chat_conversations as conversation on conversation.id = member.conversation_id
    where member.conversation_id = $1 and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    order by member.user_id
    """
  package let conversationID: ConversationID

  package init(conversationID: ConversationID) {
    self.conversationID = conversationID
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), firstSequence: try row.next(), readSequence: try row.next(), isOnline: try row.next(),
      blockedIDs: try row.next(), lastSequence: try row.next(), lastRevision: try row.next(),
      memberVersion: try row.next(), epoch: try row.next())
  }
}

/// Those of some users of whom one of them and another user has blocked the other ([C-10]).
package struct HiddenAmong: Statement {
  package typealias Row = UserID
  package static let sql = """
    select wanted.id as id from unnest($1::uuid[]) as wanted (id) where exists (
      select from blocks
      where (blocker_id = wanted.id and blocked_id = $2::uuid) or (blocker_id = $2::uuid and blocked_id = wanted.id)
    )
    """
  package let userIDs: [UserID]
  package let userID: UserID

  package init(userIDs: [UserID], userID: UserID) {
    self.userIDs = userIDs
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// How far some conversations have come.
package struct ConversationHeads: Statement {
  package struct Row: Sendable {
    package let id: ConversationID
    package let lastSequence: Int64
    package let lastRevision: Int64
    package let memberVersion: Int64
  }

  package static let sql = """
    select id, last_sequence, last_revision, member_version from chat_conversations where id = any($1)
    """
  package let conversationIDs: [ConversationID]

  package init(conversationIDs: [ConversationID]) {
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), lastSequence: try row.next(), lastRevision: try row.next(), memberVersion: try row.next())
  }
}

/// The direct conversation of two users, the smaller id first; it begins unless there is one ([TR-30]). No row where one of them has blocked the
/// other, or the second is not a user that identity has named ([C-10]).
package struct BeginDirectConversation: SingleRowStatement {
  package typealias Row = ConversationID
  package static let sql = """
    with present as (
      select id from users where id in ($1, $2) and not deleted order by id for share
    ), begun as (
      insert into chat_conversations (id, kind, first_user_id, second_user_id, created_at)
      select $3, 'DIRECT', $1, $2, $4
      where (select count(*) from present) = 2 and not exists (
      select from blocks
      where (blocker_id = $1 and blocked_id = $2) or (blocker_id = $2 and blocked_id = $1)
    )
      on conflict on constraint chat_conversations_users_key do nothing
      returning id
    ), members as (
      insert into chat_members (conversation_id, user_id, first_sequence, read_sequence)
      select begun.id, one.id, 1, 0 from begun cross join unnest(array[$1, $2]) as one (id)
    )
    select id as conversation_id from begun
    """
  package let firstUserID: UserID
  package let secondUserID: UserID
  /// Its id, should it begin.
  package let conversationID: ConversationID
  package let now: Instant

  package init(firstUserID: UserID, secondUserID: UserID, conversationID: ConversationID, now: Instant) {
    self.firstUserID = firstUserID
    self.secondUserID = secondUserID
    self.conversationID = conversationID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(firstUserID)
    p.append(secondUserID)
    p.append(conversationID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts a direct conversation that a user has begun ([TR-30]); returns the start of the window and the conversations in it. Callers of one user
/// wait for each other here.
package struct CountBegunConversation: SingleRowStatement {
  package struct Row: Sendable {
    package let beganAt: Instant
    package let begun: Int32
  }

  package static let sql = """
    insert into chat_quotas as quota (user_id, began_at, begun) values ($1, $2, 1)
    on conflict on constraint chat_quotas_pkey do update set
      began_at = case when quota.began_at <= $3 then excluded.began_at else quota.began_at end,
      begun = case when quota.began_at <= $3 then 1 else quota.begun + 1 end
    returning began_at, begun
    """
  package let userID: UserID
  package let now: Instant
  /// A window that began then or before is over.
  package let expiredAt: Instant

  package init(userID: UserID, now: Instant, expiredAt: Instant) {
    self.userID = userID
    self.now = now
    self.expiredAt = expiredAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(expiredAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(beganAt: try row.next(), begun: try row.next())
  }
}

/// The direct conversation of two users, the smaller id first; no row where there is none, or one has blocked the other.
package struct DirectConversation: SingleRowStatement {
  package typealias Row = ConversationID
  package static let sql = """
    select id as conversation_id from chat_conversations
    where first_user_id = $1 and second_user_id = $2 and not exists (
      select from blocks
      where (blocker_id = $1 and blocked_id = $2) or (blocker_id = $2 and blocked_id = $1)
    )
    """
  package let firstUserID: UserID
  package let secondUserID: UserID

  package init(firstUserID: UserID, secondUserID: UserID) {
    self.firstUserID = firstUserID
    self.secondUserID = secondUserID
  }

  package func bind(_ p: inout Parameters) {
    p.append(firstUserID)
    p.append(secondUserID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores the id of a user who is known by a token alone.
package struct EnterChatUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id) values ($1) on conflict on constraint users_pkey do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Moves the mark up to which a member has read, never back and never beyond the last message ([TR-33]); a notification of later messages is due
/// again. No row for a user who is not a member.
package struct MoveReadMark: SingleRowStatement {
  package struct Row: Sendable {
    package let readSequence: Int64
    package let unread: Int32
  }

  package static let sql = """
    with moved as (
      update chat_members as member
      set read_sequence = greatest(member.read_sequence, least($1, conversation.last_sequence)), is_notified = false
      from chat_conversations as conversation
      where conversation.id = member.conversation_id and member.conversation_id = $2 and member.user_id = $3
        and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
      returning member.*, conversation.last_sequence
    )
    select read_sequence as read_sequence, (
      select count(*)::integer from chat_messages as unread
      where unread.conversation_id = moved.conversation_id
        and unread.sequence > greatest(moved.read_sequence, moved.first_sequence - 1, moved.last_sequence - 1000)
        and unread.sender_id is distinct from moved.user_id and unread.notice is null and unread.deleted_at is null
    ) as unread from moved
    """
  package let sequence: Int64
  package let conversationID: ConversationID
  package let userID: UserID

  package init(sequence: Int64, conversationID: ConversationID, userID: UserID) {
    self.sequence = sequence
    self.conversationID = conversationID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sequence)
    p.append(conversationID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(readSequence: try row.next(), unread: try row.next())
  }
}
