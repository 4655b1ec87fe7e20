import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Deletes one of a user's messages ([TR-33]).
  package func deleteMessage(
    _ sequence: Int64, of id: ConversationID, by user: UserID, _ tx: Transaction
  ) async throws -> SeenMessage {
    try await tx.execute(LockConversations(conversationIDs: [id]))
    // Also from before the user left and joined again: what one has written one may take back.
    let own = OwnMessage(userID: user, conversationID: id, sequence: sequence)
    guard let stored = try await tx.first(own) else {
      _ = try await locked(sequence, of: id, for: user, tx)
      throw ChatRefusal.notTheSender
    }
    if stored.deletedAt != nil { return try await seen(stored, by: user, tx) }
    try await tx.execute(DeleteContent(conversationID: id, sequence: sequence, now: clock.now))
    tx.afterCommit { [signals] in signals.send(.messages(id)) }
    guard let deleted = try await tx.first(own) else { throw ChatRefusal.noSuchMessage }
    return try await seen(deleted, by: user, tx)
  }
}
