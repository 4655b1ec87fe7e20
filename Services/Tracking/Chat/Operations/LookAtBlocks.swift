import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Has the conversations looked at again that pairs of users have in common, as one has blocked the other or no longer does ([C-10]).
  package func lookAtBlocks(of pairs: [UserPair], _ tx: Transaction) async throws {
    let found = try await tx.rows(NoteBlocks(blockerIDs: pairs.map(\.first), blockedIDs: pairs.map(\.second)))
    tx.afterCommit { [signals] in signals.send(found.map { .members($0) }) }
  }

  /// Restores all blocks by `store`, and has the conversations looked at for which that made a difference ([C-10]).
  package func lookAtBlocks(changedBy store: (Transaction) async throws -> Void, _ tx: Transaction) async throws {
    let before = Set(try await tx.rows(BlockedConversations()).map { BlockInConversation($0) })
    try await store(tx)
    let after = try await tx.rows(BlockedConversations()).map { BlockInConversation($0) }
    let changed = Set(before.symmetricDifference(after).map(\.conversation)).sorted()
    try await tx.execute(NoteMembers(conversationIDs: changed))
    tx.afterCommit { [signals] in signals.send(changed.map { .members($0) }) }
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
