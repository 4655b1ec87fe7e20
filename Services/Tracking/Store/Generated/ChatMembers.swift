// Made from chat_members.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Stores conversations of groups that have none yet ([TR-30]).
package struct BeginGroupConversations: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into chat_conversations (id, kind, created_at)
    select id, 'GROUP', $1 from unnest($2::uuid[]) as begun (id) order by id
    on conflict on constraint chat_conversations_pkey do nothing
    """
  package let now: Instant
  package let conversationIDs: [ConversationID]

  package init(now: Instant, conversationIDs: [ConversationID]) {
    self.now = now
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(conversationIDs)
  }
}

/// Removes the members of group conversations, which the transaction has locked, who are no longer members of the groups, and adds the notices of
/// it ([TR-31], [TR-34]).
package struct RemoveFormerMembers: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with former as (
      delete from chat_members as member using chat_conversations as conversation
      where conversation.id = member.conversation_id and conversation.kind = 'GROUP' and conversation.id = any($1)
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
      select numbered.conversation_id, numbered.sequence, case when not users.deleted then numbered.user_id end, 'LEFT', '', $2
      from numbered left join users on users.id = numbered.user_id
    ), absent as (
      delete from chat_presence using former
      where chat_presence.conversation_id = former.conversation_id and chat_presence.user_id = former.user_id
    )
    update chat_conversations
    set
      last_sequence = last.sequence, member_version = member_version + 1,
      abandoned_at = case when exists (select from memberships where group_id = id) then null else $2 end
    from (select conversation_id, max(sequence) as sequence from numbered group by conversation_id) as last
    where id = last.conversation_id
    returning id as conversation_id
    """
  package let conversationIDs: [ConversationID]
  package let now: Instant

  package init(conversationIDs: [ConversationID], now: Instant) {
    self.conversationIDs = conversationIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds the members of groups to their conversations, which the transaction has locked, with the notices of it: they see messages from these on
/// ([TR-31], [TR-33]).
package struct AddNewMembers: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with entering as (
      select memberships.group_id as conversation_id, memberships.user_id, memberships.membership_id
      from memberships
      left join chat_members as member on member.conversation_id = memberships.group_id and member.user_id = memberships.user_id
      where memberships.group_id = any($1) and member.user_id is null
    ), numbered as (
      select
        entering.*, conversation.last_sequence + row_number() over (partition by entering.conversation_id order by entering.user_id) as sequence
      from entering join chat_conversations as conversation on conversation.id = entering.conversation_id and conversation.kind = 'GROUP'
    ), stored as (
      insert into chat_messages (conversation_id, sequence, sender_id, notice, text, created_at)
      select numbered.conversation_id, numbered.sequence, case when not users.deleted then numbered.user_id end, 'JOINED', '', $2
      from numbered left join users on users.id = numbered.user_id
    ), entered as (
      insert into chat_members (conversation_id, user_id, membership_id, first_sequence, read_sequence)
      select conversation_id, user_id, membership_id, sequence, sequence from numbered
    )
    update chat_conversations
    set last_sequence = last.sequence, member_version = member_version + 1, abandoned_at = null
    from (select conversation_id, max(sequence) as sequence from numbered group by conversation_id) as last
    where id = last.conversation_id
    returning id as conversation_id
    """
  package let conversationIDs: [ConversationID]
  package let now: Instant

  package init(conversationIDs: [ConversationID], now: Instant) {
    self.conversationIDs = conversationIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Groups whose members differ from those of their conversations, and conversations of groups that are gone.
package struct GroupsWithOtherMembers: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    select coalesce(memberships.group_id, member.conversation_id) as conversation_id
    from memberships
    full join (
      select chat_members.* from chat_members join chat_conversations on chat_conversations.id = chat_members.conversation_id
      where chat_conversations.kind = 'GROUP'
    ) as member
      on member.conversation_id = memberships.group_id and member.user_id = memberships.user_id
      and member.membership_id = memberships.membership_id
    where member.user_id is null or memberships.user_id is null
    group by 1
    order by 1
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some groups with members that have no conversation: they are from before there was a chat ([TR-30]).
package struct GroupsWithoutConversation: Statement {
  package typealias Row = ConversationID
  package static let pace = Pace.slow
  package static let sql = """
    select distinct memberships.group_id as conversation_id from memberships
    where not exists (select from chat_conversations where chat_conversations.id = memberships.group_id)
    limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The conversations that users have in common of whom one has blocked the other ([C-10]).
package struct BlockedConversations: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let blockerID: UserID
    package let blockedID: UserID
  }

  package static let pace = Pace.slow
  package static let sql = """
    select blocker.conversation_id, blocks.blocker_id, blocks.blocked_id
    from blocks
    join chat_members as blocker on blocker.user_id = blocks.blocker_id
    join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = blocks.blocked_id
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), blockerID: try row.next(), blockedID: try row.next())
  }
}

/// Has the members of conversations looked at again.
package struct NoteMembers: Statement {
  package typealias Row = Void
  package static let sql = """
    update chat_conversations set member_version = member_version + 1 where id = any($1)
    """
  package let conversationIDs: [ConversationID]

  package init(conversationIDs: [ConversationID]) {
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
  }
}

/// Has the conversations looked at again that pairs of users have in common, of whom one has blocked the other, or no longer does; the first of
/// the one with the first of the other.
package struct NoteBlocks: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with locked as (
      select id from chat_conversations
      where id in (
        select blocker.conversation_id
        from unnest($1::uuid[], $2::uuid[]) as pair (blocker_id, blocked_id)
        join chat_members as blocker on blocker.user_id = pair.blocker_id
        join chat_members as blocked on blocked.conversation_id = blocker.conversation_id and blocked.user_id = pair.blocked_id
      )
      order by id for no key update
    )
    update chat_conversations set member_version = member_version + 1
    from locked where chat_conversations.id = locked.id
    returning chat_conversations.id as conversation_id
    """
  package let blockerIDs: [UserID]
  package let blockedIDs: [UserID]

  package init(blockerIDs: [UserID], blockedIDs: [UserID]) {
    self.blockerIDs = blockerIDs
    self.blockedIDs = blockedIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerIDs)
    p.append(blockedIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends direct conversations with a user who deleted the account, and has messages and reactions removed ([C-9]). Members of groups are removed as
/// identity reports it.
package struct ForgetChatUser: Statement {
  package typealias Row = Void
  package static let sql = """
    with erasure as (
      insert into chat_erasures (user_id) values ($1) on conflict on constraint chat_erasures_pkey do nothing
    ), absent as (
      delete from chat_presence where user_id = $1
    ), former as (
      delete from chat_members as member using chat_conversations as conversation
      where conversation.id = member.conversation_id and conversation.kind = 'DIRECT' and member.user_id = $1
    ), unsent as (
      delete from chat_pictures where uploader_id = $1 and sequence is null
    ), quota as (
      delete from chat_quotas where user_id = $1
    )
    update chat_conversations
    set
      first_user_id = nullif(first_user_id, $1), second_user_id = nullif(second_user_id, $1),
      member_version = member_version + 1,
      abandoned_at = case when first_user_id is null or second_user_id is null then now() end
    where first_user_id = $1 or second_user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
