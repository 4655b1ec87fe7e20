import ChatDomain
import Identifiers
import TandemChat
import Timestamps
import TrackingStore

extension Message {
  /// The message as a member sees it.
  ///
  /// - Parameter hidden: users whose messages are folded for the member, and whose reactions are left out ([C-10]).
  init(_ stored: StoredMessage, for reader: UserID, folding hidden: Set<UserID>) {
    if stored.notice == nil, stored.deletedAt == nil, let sender = stored.senderID, hidden.contains(sender) {
      self.init(
        sequence: stored.sequence, senderID: sender.description, createTime: stored.createdAt.timestamp,
        editTime: stored.editedAt?.timestamp, folded: true)
      return
    }
    self.init(
      sequence: stored.sequence, senderID: stored.senderID?.description ?? "",
      text: stored.notice?.text ?? stored.text, notice: stored.notice?.wire ?? .unspecified,
      createTime: stored.createdAt.timestamp, editTime: stored.editedAt?.timestamp,
      deleteTime: stored.deletedAt?.timestamp, replyToSequence: stored.replyTo ?? 0,
      pictureID: stored.pictureID?.description ?? "",
      reactions: stored.reactions.filter { !hidden.contains($0.userID) }.map {
        Reaction(userID: $0.userID.description, emoji: $0.emoji)
      })
    if stored.senderID == reader, stored.deletedAt == nil {
      clientMessageID = stored.clientMessageID?.description ?? ""
    }
  }
}

extension ChatPosition {
  /// - Parameter epoch: of the numbers.
  func wire(of epoch: Int64) -> Position { Position(sequence: sequence, revision: revision, epoch: epoch) }
}

extension Conversation {
  /// The conversation as one of its members sees it.
  ///
  /// - Parameter hidden: users whose messages are folded for the member ([C-10]).
  init(_ stored: ConversationColumns, last: StoredMessage?, for reader: UserID, folding hidden: Set<UserID>) {
    let other = stored.firstUserID == reader ? stored.secondUserID : stored.firstUserID
    self.init(
      conversationID: stored.id.description, kind: stored.kind.wire, name: stored.name,
      otherUserID: other?.description ?? "", lastSequence: stored.lastSequence,
      firstSequence: stored.firstSequence, readSequence: stored.readSequence, unreadCount: stored.unread)
    if let last, last.sequence >= stored.firstSequence { lastMessage = Message(last, for: reader, folding: hidden) }
  }
}
