import ChatDomain
import Identifiers

/// A message to be added to a conversation.
package struct NewMessage: Sendable {
  package let conversationID: ConversationID
  package let senderID: UserID
  package let clientMessageID: ClientMessageID
  package let text: String
  /// By which it is found; see ``SearchedWords``.
  package var words = ""
  /// 0 for none.
  package let replyTo: Int64
  package let pictureID: ChatPictureID?

  package init(
    conversationID: ConversationID, senderID: UserID, clientMessageID: ClientMessageID, text: String, replyTo: Int64,
    pictureID: ChatPictureID?
  ) {
    (self.conversationID, self.senderID, self.clientMessageID) = (conversationID, senderID, clientMessageID)
    (self.text, self.replyTo, self.pictureID) = (text, replyTo, pictureID)
  }
}

/// A message that is stored.
package struct StoredSend: Sendable {
  package let sequence: Int64
  package let createdAt: Instant
}
