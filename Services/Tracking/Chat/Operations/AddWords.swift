import ChatDomain
import Postgres
import TrackingStore

extension ChatOperations {
  /// Adds the words that are searched of some messages that were stored before there were any.
  ///
  /// - Parameter limit: messages.
  /// - Returns: of how many.
  package func addWords(most limit: Int64, _ tx: Transaction) async throws -> Int64 {
    let messages = try await tx.rows(MessagesWithoutWords(limit: limit))
    guard !messages.isEmpty else { return 0 }
    var words: [String] = []
    for message in messages {
      words.append(SearchedWords.vector(of: message.text))
      // The longest ones take milliseconds each, and others are to have their turn on the thread.
      await Task.yield()
    }
    try await tx.execute(
      PutWords(
        conversationIDs: messages.map(\.conversationID), sequences: messages.map(\.sequence),
        words: words))
    return Int64(messages.count)
  }
}
