import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Replaces the text of one of a user's messages ([TR-33]).
  ///
  /// - Parameters:
  ///   - text: empty only where a picture is left.
  ///   - words: by which it is found; see ``SearchedWords``.
  package func editMessage(
    _ sequence: Int64, of id: ConversationID, by user: UserID, to text: String, foundBy words: String, _ tx: Transaction
  ) async throws -> SeenMessage {
    let stored = try await locked(sequence, of: id, for: user, tx)
    try stored.facts.checkEdit(by: user, isEmpty: text.isEmpty)
    if stored.text == text { return try await seen(stored, by: user, tx) }
    let growth = Int64(text.utf8.count - stored.text.utf8.count)
    if growth > 0, let used = try await tx.rows(LockChatStorage(userIDs: [user])).first {
      try MessageStorage.checkGrowth(by: growth, of: used.bytes)
    }
    try await tx.execute(ForgetWords(conversationID: id, sequence: sequence))
    try await tx.execute(
      EditText(conversationID: id, text: text, sequence: sequence, words: words, now: clock.now))
    return try await changed(sequence, of: id, for: user, tx)
  }
}
