import Environment
import ChatDomain
import Identifiers
import Postgres
import TrackingStore

/// Has the conversations of groups follow the groups' members ([TR-30], [TR-34]).
package struct ConversationMembership: Sendable {
  private let signals: ChatSignals
  private let clock: any WallClock

  /// Groups of one statement.
  private static let batch = 500

  package init(signals: ChatSignals, clock: any WallClock) { (self.signals, self.clock) = (signals, clock) }

  /// Makes the members of conversations those that the groups have now, with the notices of it, in the transaction that has changed them.
  package func follow(_ groups: Set<ConversationID>, _ tx: Transaction) async throws {
    let ids = groups.sorted()
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      let some = Array(ids[start..<min(start + Self.batch, ids.count)])
      _ = try await tx.rows(
        BeginGroupConversations(now: clock.now, conversationIDs: some), LockConversations(conversationIDs: some))
      let (left, joined) = try await tx.rows(
        RemoveFormerMembers(conversationIDs: some, now: clock.now), AddNewMembers(conversationIDs: some, now: clock.now)
      )
      tx.afterCommit { [signals] in
        for id in Set(left + joined) {
          signals.send(.members(id))
          signals.send(.presence(id))
        }
      }
    }
  }

  /// The same for all groups, after changes of theirs were missed.
  package func followAll(_ tx: Transaction) async throws {
    try await follow(Set(try await tx.rows(GroupsWithOtherMembers())), tx)
  }

  /// Begins the conversations of groups that have none: their members joined before there was a chat, or while a version without one served ([TR-30]).
  func beginMissing(in database: Database) async throws {
    var isComplete = false
    while !isComplete {
      isComplete = try await database.repeatableTransaction { tx in
        let some = try await tx.rows(GroupsWithoutConversation(limit: Int64(Self.batch)))
        try await follow(Set(some), tx)
        return some.count < Self.batch
      }
    }
  }

  /// Restores all blocks by `store`, and has the conversations looked at for which that made a difference ([C-10]).
  package func look(atBlocksChangedBy store: (Transaction) async throws -> Void, _ tx: Transaction) async throws {
    let before = Set(try await tx.rows(BlockedConversations()).map { BlockInConversation($0) })
    try await store(tx)
    let after = try await tx.rows(BlockedConversations()).map { BlockInConversation($0) }
    let changed = Set(before.symmetricDifference(after).map(\.conversation)).sorted()
    try await tx.execute(NoteMembers(conversationIDs: changed))
    tx.afterCommit { [signals] in signals.send(changed.map { .members($0) }) }
  }

  /// Has the conversations looked at again that pairs of users have in common, as one has blocked the other or no longer does ([C-10]).
  package func look(atPairs pairs: [UserPair], _ tx: Transaction) async throws {
    let found = try await tx.rows(NoteBlocks(blockerIDs: pairs.map(\.first), blockedIDs: pairs.map(\.second)))
    tx.afterCommit { [signals] in signals.send(found.map { .members($0) }) }
  }
}

/// A block between two members of a conversation.
private struct BlockInConversation: Hashable {
  let conversation: ConversationID
  let blocker: UserID
  let blocked: UserID

  init(_ row: BlockedConversations.Row) {
    (conversation, blocker, blocked) = (row.conversationID, row.blockerID, row.blockedID)
  }
}
