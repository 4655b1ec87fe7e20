import ChatDomain
import Postgres
import TrackingStore

extension ChatOperations {
  /// Removes some of what a user who deleted the account wrote ([C-9]).
  ///
  /// - Parameter limit: messages, and reactions.
  /// - Returns: false when nothing is left of any user.
  package func eraseDeletedUser(most limit: Int64, _ tx: Transaction) async throws -> Bool {
    guard let user = try await tx.first(DueErasure()) else { return false }
    let messages = try await tx.rows(MessagesToErase(userID: user, limit: limit))
    let reactions = try await tx.rows(ReactionsToErase(userID: user, limit: limit))
    guard !messages.isEmpty || !reactions.isEmpty else {
      try await tx.execute(EndErasure(userID: user))
      return true
    }
    let conversations = Set(messages.map(\.conversationID) + reactions.map(\.conversationID))
    try await tx.execute(LockConversations(conversationIDs: Array(conversations)))
    try await tx.execute(
      EraseMessages(
        conversationIDs: messages.map(\.conversationID), sequences: messages.map(\.sequence), now: clock.now))
    try await tx.rows(
      each: reactions.map {
        SetReaction(conversationID: $0.conversationID, sequence: $0.sequence, userID: user, emoji: nil)
      })
    tx.afterCommit { [signals] in signals.send(conversations.map { .messages($0) }) }
    return true
  }
}
