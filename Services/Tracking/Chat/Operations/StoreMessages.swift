import ChatDomain
import Identifiers
import Postgres
import Synchronization
import TrackingStore

extension ChatOperations {
  /// Until members who are offline are notified: one who reconnects meanwhile is not ([TR-32]).
  package static let noticeDelay = Duration.seconds(5)
  /// At the place of a message without a picture.
  private static let noPicture = ChatPictureID(UUID7(high: 0, low: 0))

  /// Stores messages together, no two of which are the same or have the same picture, and signals them ([TR-32]).
  ///
  /// - Returns: what becomes of each, in their order.
  package func storeMessages(
    _ messages: [NewMessage], in database: Database
  ) async throws -> [Result<StoredSend, SendRefusal>] {
    let now = clock.now
    let append = AppendMessages(
      places: messages.indices.map { Int32($0) }, conversationIDs: messages.map(\.conversationID),
      userIDs: messages.map(\.senderID), clientMessageIDs: messages.map(\.clientMessageID),
      texts: messages.map(\.text), words: messages.map(\.words), replies: messages.map(\.replyTo),
      pictureIDs: messages.map { $0.pictureID ?? Self.noPicture }, hasPictures: messages.map { $0.pictureID != nil },
      maxMessages: MessageStorage.maxMessages, maxBytes: MessageStorage.maxBytes, now: now,
      dueAt: now + Self.noticeDelay)
    let lock = LockConversations(conversationIDs: Array(Set(messages.map(\.conversationID))))
    let lockSenders = LockChatStorage(userIDs: Array(Set(messages.map(\.senderID))))
    let judged = Mutex<[AppendMessages.Row]>([])
    try await database.transaction { tx in
      // All go with the commit, so that conversations are locked for no longer than the server needs.
      tx.queue(lock)
      tx.queue(lockSenders)
      tx.queue(append) { rows in judged.withLock { $0 = rows } }
    }
    let rows = judged.withLock { $0 }.sorted { $0.place < $1.place }
    precondition(rows.count == messages.count, "the statement judges every message once")
    signals.send(
      Set(rows.filter { $0.outcome == .stored }.map { messages[Int($0.place)].conversationID }).map { .messages($0) })
    return rows.map { row in
      SendRefusal(row.outcome).map { .failure($0) }
        ?? .success(StoredSend(sequence: row.sequence, createdAt: row.createdAt))
    }
  }
}
