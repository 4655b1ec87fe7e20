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
    insert into chat_replicas (id, expires_at) values ($1, now() + make_interval(secs => $2::double precision))
    on conflict on constraint chat_replicas_pkey do update set expires_at = excluded.expires_at
    returning xmax = 0 as is_new
    """
  package let replicaID: ReplicaID
  package let seconds: Double

  package init(replicaID: ReplicaID, seconds: Double) {
    self.replicaID = replicaID
    self.seconds = seconds
  }

  package func bind(_ p: inout Parameters) {
    p.append(replicaID)
    p.append(seconds)
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
      delete from chat_presence where replica_id = $1 returning conversation_id
    ), removed as (
      delete from chat_replicas where id = $1
    )
    select distinct conversation_id from ended
    """
  package let replicaID: ReplicaID

  package init(replicaID: ReplicaID) {
    self.replicaID = replicaID
  }

  package func bind(_ p: inout Parameters) {
    p.append(replicaID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes processes that have not renewed their leases, and what they had open; the conversations in which members may be offline now ([TR-31]).
package struct EndExpiredReplicas: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with gone as (
      select id from chat_replicas where expires_at < now() for update skip locked
    ), ended as (
      delete from chat_presence using gone where replica_id = gone.id returning conversation_id
    ), removed as (
      delete from chat_replicas using gone where chat_replicas.id = gone.id
    )
    select distinct conversation_id from ended
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores that users are online in conversations, at this process, the first user in the first conversation and so on; of former members nothing is
/// stored. What they missed may be notified again.
package struct StorePresence: Statement {
  package typealias Row = ConversationID
  package static let sql = """
    with wanted as (
      select * from unnest($1::uuid[], $2::uuid[]) as wanted (conversation_id, user_id)
    ), seen as (
      update chat_members as member set is_notified = false from wanted
      where member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id and member.is_notified
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
    delete from chat_presence using unnest($1::uuid[], $2::uuid[]) as closed (conversation_id, user_id)
    where chat_presence.conversation_id = closed.conversation_id and chat_presence.user_id = closed.user_id
      and chat_presence.replica_id = $3
    returning chat_presence.conversation_id
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

/// Which members are online in some conversations.
package struct OnlineMembers: Statement {
  package struct Row: Sendable {
    package let conversationID: ConversationID
    package let userID: UserID
  }

  package static let sql = """
    select distinct chat_presence.conversation_id, chat_presence.user_id
    from chat_presence
    join chat_replicas on chat_replicas.id = chat_presence.replica_id and chat_replicas.expires_at > now()
    join chat_members as member
      on member.conversation_id = chat_presence.conversation_id and member.user_id = chat_presence.user_id
    where chat_presence.conversation_id = any($1)
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
