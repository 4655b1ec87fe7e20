// Made from chat_presence.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Renews the lease of this process; true if it had ended and been removed, or was never there: then nothing is stored of its streams.
package struct RenewReplica: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    insert into chat_replicas (id, expires_at, renewed_at)
    values ($1, now() + make_interval(secs => $2::double precision), $3)
    on conflict on constraint chat_replicas_pkey do update set expires_at = excluded.expires_at, renewed_at = excluded.renewed_at
    returning xmax = 0 as is_new
    """
  package let replicaID: ReplicaID
  package let seconds: Double
  package let now: Instant

  package init(replicaID: ReplicaID, seconds: Double, now: Instant) {
    self.replicaID = replicaID
    self.seconds = seconds
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(replicaID)
    p.append(seconds)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends the lease of a process that stops; the conversations that had streams there.
package struct EndReplica: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with ended as (
      delete from chat_presence using chat_replicas
      where chat_presence.replica_id = $1 and chat_replicas.id = chat_presence.replica_id
      returning chat_presence.conversation_id, chat_presence.user_id, chat_replicas.renewed_at as heard_at
    ), removed as (
      delete from chat_replicas where id = $1
    ), gone as (
      select * from ended where not is_online(ended.conversation_id, ended.user_id, $1)
    ), reached as (
      select member.conversation_id, member.user_id, conversation.last_sequence, coalesce(last.sequence, 0) as sequence
      from gone
      join chat_members as member on member.conversation_id = gone.conversation_id and member.user_id = gone.user_id
      join chat_conversations as conversation on conversation.id = member.conversation_id
      left join lateral (
        select message.sequence from chat_messages as message
        where message.conversation_id = gone.conversation_id and message.created_at <= gone.heard_at
        order by message.sequence desc
        limit 1
      ) as last on true
      order by member.conversation_id, member.user_id for no key update of member
    ), marked as (
      update chat_members as member
      set
        reached_sequence = greatest(member.reached_sequence, reached.sequence),
        notice_due_at = case when reached.last_sequence > reached.sequence then coalesce(member.notice_due_at, $2) end
      from reached where member.conversation_id = reached.conversation_id and member.user_id = reached.user_id
    )
    select distinct conversation_id as conversation_id from ended
    """
  package let replicaID: ReplicaID
  package let dueAt: Instant

  package init(replicaID: ReplicaID, dueAt: Instant) {
    self.replicaID = replicaID
    self.dueAt = dueAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(replicaID)
    p.append(dueAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes processes that have not renewed their leases, and what they had open; the conversations in which members may be offline now ([TR-31]).
package struct EndExpiredReplicas: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with expired as (
      select id, renewed_at from chat_replicas where expires_at < now() for update skip locked
    ), ended as (
      delete from chat_presence using expired where replica_id = expired.id
      returning chat_presence.conversation_id, chat_presence.user_id, expired.id as replica_id, expired.renewed_at as heard_at
    ), removed as (
      delete from chat_replicas using expired where chat_replicas.id = expired.id
    ), gone as (
      select ended.conversation_id, ended.user_id, max(ended.heard_at) as heard_at from ended
      where not is_online(ended.conversation_id, ended.user_id, ended.replica_id)
      group by ended.conversation_id, ended.user_id
    ), reached as (
      select member.conversation_id, member.user_id, conversation.last_sequence, coalesce(last.sequence, 0) as sequence
      from gone
      join chat_members as member on member.conversation_id = gone.conversation_id and member.user_id = gone.user_id
      join chat_conversations as conversation on conversation.id = member.conversation_id
      left join lateral (
        select message.sequence from chat_messages as message
        where message.conversation_id = gone.conversation_id and message.created_at <= gone.heard_at
        order by message.sequence desc
        limit 1
      ) as last on true
      order by member.conversation_id, member.user_id for no key update of member
    ), marked as (
      update chat_members as member
      set
        reached_sequence = greatest(member.reached_sequence, reached.sequence),
        notice_due_at = case when reached.last_sequence > reached.sequence then coalesce(member.notice_due_at, $1) end
      from reached where member.conversation_id = reached.conversation_id and member.user_id = reached.user_id
    )
    select distinct conversation_id as conversation_id from ended
    """
  /// When members are to be notified of what they missed.
  package let dueAt: Instant

  package init(dueAt: Instant) {
    self.dueAt = dueAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(dueAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores that users are online in conversations, at this process, the first user in the first conversation and so on; of former members nothing is
/// stored. What they missed may be notified again: also where they are being notified just now, which this waits for.
package struct StorePresence: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with wanted as (
      select * from unnest($1::uuid[], $2::uuid[]) as wanted (conversation_id, user_id)
    ), locked as (
      select member.conversation_id, member.user_id
      from wanted
      join chat_members as member on member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id
      join chat_conversations as conversation on conversation.id = member.conversation_id
      where member.is_notified or member.notice_due_at is not null or conversation.notice_due_at is not null
      order by member.conversation_id, member.user_id for no key update of member
    ), seen as (
      update chat_members as member set is_notified = false, notice_due_at = null from locked
      where member.conversation_id = locked.conversation_id and member.user_id = locked.user_id
    )
    insert into chat_presence (conversation_id, user_id, replica_id)
    select member.conversation_id, member.user_id, $3
    from wanted join chat_members as member on member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id
    order by member.conversation_id, member.user_id
    on conflict on constraint chat_presence_pkey do nothing
    returning conversation_id
    """
  package let conversationIDs: [ConversationID]
  package let userIDs: [UserID]
  package let replicaID: ReplicaID

  package init(conversationIDs: [ConversationID], userIDs: [UserID], replicaID: ReplicaID) {
    self.conversationIDs = conversationIDs
    self.userIDs = userIDs
    self.replicaID = replicaID
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(userIDs)
    p.append(replicaID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes that users are online in conversations at this process.
package struct RemovePresence: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with closed as (
      select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as closed (conversation_id, user_id, heard_at)
    ), removed as (
      delete from chat_presence using closed
      where chat_presence.conversation_id = closed.conversation_id and chat_presence.user_id = closed.user_id
        and chat_presence.replica_id = $4
      returning chat_presence.conversation_id, chat_presence.user_id, closed.heard_at
    ), gone as (
      select * from removed where not is_online(removed.conversation_id, removed.user_id, $4)
    ), reached as (
      select member.conversation_id, member.user_id, conversation.last_sequence, coalesce(last.sequence, 0) as sequence
      from gone
      join chat_members as member on member.conversation_id = gone.conversation_id and member.user_id = gone.user_id
      join chat_conversations as conversation on conversation.id = member.conversation_id
      left join lateral (
        select message.sequence from chat_messages as message
        where message.conversation_id = gone.conversation_id and message.created_at <= gone.heard_at
        order by message.sequence desc
        limit 1
      ) as last on true
      order by member.conversation_id, member.user_id for no key update of member
    ), marked as (
      update chat_members as member
      set
        reached_sequence = greatest(member.reached_sequence, reached.sequence),
        notice_due_at = case when reached.last_sequence > reached.sequence then coalesce(member.notice_due_at, $5) end
      from reached where member.conversation_id = reached.conversation_id and member.user_id = reached.user_id
    )
    select conversation_id as conversation_id from removed
    """
  package let conversationIDs: [ConversationID]
  package let userIDs: [UserID]
  /// Until when each was reachable for certain.
  package let heardAts: [Instant]
  package let replicaID: ReplicaID
  /// When those who missed something are to be notified.
  package let dueAt: Instant

  package init(
    conversationIDs: [ConversationID], userIDs: [UserID], heardAts: [Instant], replicaID: ReplicaID, dueAt: Instant) {
    self.conversationIDs = conversationIDs
    self.userIDs = userIDs
    self.heardAts = heardAts
    self.replicaID = replicaID
    self.dueAt = dueAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
    p.append(userIDs)
    p.append(heardAts)
    p.append(replicaID)
    p.append(dueAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Which members are online in some conversations.
package struct OnlineMembers: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let userID: UserID
  }

  package static let sql = """
    select conversation_id as conversation_id, user_id as user_id from online_members($1::uuid[])
    """
  package let conversationIDs: [ConversationID]

  package init(conversationIDs: [ConversationID]) {
    self.conversationIDs = conversationIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(conversationIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(conversationID: try row.next(), userID: try row.next())
  }
}
