import ChatDomain
import ChatOperations
import FieldViolations
import Identifiers
import TTRPC
import TandemChat
import Timestamps

extension Chat {
  /// Sends a message to a conversation in which the caller is online ([TR-32]).
  package func sendMessage(_ call: SendMessageRequest, _ context: CallContext) async throws -> SendMessageResponse {
    try await send(call, as: try heard(context))
  }

  func send(_ call: SendMessageRequest, as user: UserID) async throws -> SendMessageResponse {
    var message = try NewMessage(call, of: user)
    try rates.count(user)
    message.words = await SearchedWords.vectorOffLoop(of: message.text)
    let stored = try await append(message)
    return SendMessageResponse(
      clientMessageID: message.clientMessageID.description, sequence: stored.sequence,
      createTime: stored.createdAt.timestamp)
  }

  /// Adds a message. Who seems offline, but has a stream here, is put online again first: nothing is wrong that the user could mend.
  private func append(_ message: NewMessage) async throws -> StoredSend {
    do { return try await log.append(message) } catch let refusal as SendRefusal where refusal.outcome == .offline {
      guard try await presence.restore(message.conversationID, message.senderID) else { throw refusal }
      return try await log.append(message)
    }
  }
}

extension NewMessage {
  /// Parses a message of `sender`.
  package init(_ call: SendMessageRequest, of sender: UserID) throws {
    var bad = Violations()
    let conversation = bad.conversationID(call.conversationID)
    let client = bad.require(
      "client_message_id", ClientMessageID(call.clientMessageID), "This is not a UUID",
      ChatReason.clientMessageIDInvalid)
    let picture = call.pictureID.isEmpty ? nil : ChatPictureID(call.pictureID)
    if !call.pictureID.isEmpty, picture == nil {
      bad.add("picture_id", "This is not the id of a picture", ChatReason.pictureIDInvalid)
    }
    if call.replyToSequence < 0 {
      bad.add("reply_to_sequence", "Messages have numbers from 1", ChatReason.sequenceInvalid)
    }
    let text = bad.messageText(call.text, isOptional: !call.pictureID.isEmpty)
    let (conversationID, clientMessageID, words) = try bad.all(conversation, client, text)
    self.init(
      conversationID: conversationID, senderID: sender, clientMessageID: clientMessageID, text: words,
      replyTo: call.replyToSequence, pictureID: picture)
  }
}
