import ChatDomain
import ChatOperations
import Events
import Identifiers
import Postgres
import TandemEvents

extension EventSubscription {
  /// This consumer of identity's groups, which also has the groups' conversations follow their members ([TR-30]).
  ///
  /// It is one consumer, because the members are those that it has stored in the same transaction.
  package func keepingConversations(_ operations: ChatOperations) -> EventSubscription {
    let others = resync
    return EventSubscription(
      of: producer, name: name, beginning: .first,
      handlers: handlers + [
        EventHandler(batchesOf: GroupMemberAdded.self) { events, tx in
          try await operations.followGroups(Set(try events.map { try ConversationID(group: $0.message.groupID) }), tx)
        },
        EventHandler(batchesOf: GroupMemberRemoved.self) { events, tx in
          try await operations.followGroups(Set(try events.map { try ConversationID(group: $0.message.groupID) }), tx)
        },
      ],
      resync: { source in
        let store = try await others?(source)
        return { tx in
          try await store?(tx)
          try await operations.followAllGroups(tx)
        }
      })
  }

  /// This consumer of identity's blocks, which also closes the direct conversations between the users, and opens them again ([C-10]).
  package func closingConversations(_ operations: ChatOperations) -> EventSubscription {
    var restored: Resync?
    if let others = resync {
      restored = { source in
        let store = try await others(source)
        return { tx in try await operations.lookAtBlocks(changedBy: store, tx) }
      }
    }
    return EventSubscription(
      of: producer, name: name, beginning: beginning,
      handlers: handlers + [
        EventHandler(batchesOf: UserBlocked.self) { events, tx in
          let pairs = events.compactMap { UserPair($0.message.blockerUserID, $0.message.blockedUserID) }
          try await operations.lookAtBlocks(of: pairs, tx)
        },
        EventHandler(batchesOf: UserUnblocked.self) { events, tx in
          let pairs = events.compactMap { UserPair($0.message.blockerUserID, $0.message.blockedUserID) }
          try await operations.lookAtBlocks(of: pairs, tx)
        },
      ],
      resyncRestoresAll: resyncRestoresAll,
      resync: restored)
  }
}

extension UserPair {
  /// `nil` for anything but the ids of two users, which the consumer refuses before.
  fileprivate init?(_ one: String, _ other: String) {
    guard let one = UserID(one), let other = UserID(other) else { return nil }
    self.init(one, other)
  }
}

/// An event of identity without the id of a group.
private struct NoGroup: Error {}

extension ConversationID {
  fileprivate init(group text: String) throws {
    guard let id = ConversationID(text) else { throw NoGroup() }
    self = id
  }
}
