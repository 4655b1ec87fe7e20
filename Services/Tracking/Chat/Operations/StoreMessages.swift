import ChatDomain
import Identifiers
import Postgres
import Synchronization
import TrackingStore

extension ChatOperations {
  /// Until members who are offline are notified of a message, or of what they missed: one who reconnects meanwhile is not ([TR-32], [TR-35]).
  package static let noticeDelay = Duration.seconds(5)
  /// At the place of a message without a picture.
  private static let noPicture = ChatPictureID(UUID7(high: 0, low: 0))

  /// Stores messages together, no two of which are the same or have the same picture, and signals them ([TR-32]).
  ///
  /// All goes with the commit, so that conversations are locked for no longer than the server needs.
  /// - Returns: what becomes of each, once the transaction is committed.
  package func storeMessages(_ messages: [NewMessage], _ tx: Transaction) -> StoredMessages {
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
    let stored = StoredMessages()
    tx.queue(lock)
    tx.queue(lockSenders)
    tx.queue(append) { stored.judge($0) }
    tx.afterCommit { [signals] in
      signals.send(Set(stored.places.map { messages[$0].conversationID }).map { .messages($0) })
    }
    return stored
  }
}

/// What becomes of messages that are stored together.
package final class StoredMessages: Sendable {
  private let rows = Mutex<[AppendMessages.Row]>([])

  fileprivate func judge(_ judged: [AppendMessages.Row]) {
    rows.withLock { $0 = judged.sorted { $0.place < $1.place } }
  }

  /// The places of those that are stored.
  fileprivate var places: [Int] {
    rows.withLock { rows in rows.filter { $0.outcome == .stored }.map { Int($0.place) } }
  }

  /// Of each message, in their order; none before the transaction is committed.
  package var results: [Result<StoredSend, SendRefusal>] {
    rows.withLock { rows in
      rows.map { row in
        SendRefusal(row.outcome).map { .failure($0) }
          ?? .success(StoredSend(sequence: row.sequence, createdAt: row.createdAt))
      }
    }
  }
}
