import ChatDomain
import Identifiers

/// A message of a conversation with its reactions.
package struct StoredMessage: Sendable, Equatable {
  package let sequence: Int64
  /// `nil` for a user who deleted the account.
  package let senderID: UserID?
  package let clientMessageID: ClientMessageID?
  /// What the service reports; `nil` for a user's message.
  package let notice: SystemNotice?
  package let text: String
  package let replyTo: Int64?
  package let pictureID: ChatPictureID?
  package let createdAt: Instant
  package let editedAt: Instant?
  package let deletedAt: Instant?
  /// 0 while it is as it was sent.
  package let revision: Int64
  /// By the users' ids.
  package let reactions: [StoredReaction]
}

/// The reaction of a user to a message.
package struct StoredReaction: Sendable, Equatable {
  package let userID: UserID
  package let emoji: String
}

extension StoredMessage {
  init(_ columns: MessageColumns) {
    self.init(
      sequence: columns.sequence, senderID: columns.senderID, clientMessageID: columns.clientMessageID,
      notice: columns.messageNotice, text: columns.text, replyTo: columns.replyTo, pictureID: columns.pictureID,
      createdAt: columns.createdAt, editedAt: columns.editedAt, deletedAt: columns.deletedAt,
      revision: columns.revision,
      reactions: zip(columns.reactionUserIDs, columns.reactionEmojis).map { StoredReaction(userID: $0, emoji: $1) })
  }
}
