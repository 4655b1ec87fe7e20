import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Sets a user's reaction to a message, or removes it.
  ///
  /// - Parameter emoji: `nil` for none.
  package func react(
    to sequence: Int64, of id: ConversationID, by user: UserID, with emoji: Emoji?, _ tx: Transaction
  ) async throws -> SeenMessage {
    let stored = try await locked(sequence, of: id, for: user, tx)
    try stored.facts.checkReaction()
    if stored.reactions.first(where: { $0.userID == user })?.emoji == emoji?.text {
      return try await seen(stored, by: user, tx)
    }
    try await tx.execute(
      SetReaction(conversationID: id, sequence: sequence, userID: user, emoji: emoji?.text))
    return try await changed(sequence, of: id, for: user, tx)
  }
}
