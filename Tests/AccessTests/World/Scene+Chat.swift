import Foundation
import TTRPC
import TandemChat
import TestSupport
import Testing

/// Conversations that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern the chat; `false` for any other.
  mutating func performInChat(_ step: String) async throws -> Bool {
    switch step {
    // There is a conversation of the owner and the member, or a message of the owner in it.
    case "chat", "message": try await prepare(step)
    // The caller has the conversation open, though perhaps not allowed to.
    case "connected":
      try await prepare("chat")
      try await world.sql(
        """
        insert into tracking.chat_replicas values ('\(Self.replica)', now() + interval '1 hour') on conflict do nothing;
        insert into tracking.chat_presence values ('\(values["chat"] ?? "")', '\(subject.id)', '\(Self.replica)')
        """)
    default: return false
    }
    return true
  }

  private static let replica = "01900000-0000-7000-8000-00000000abcd"

  /// Prepares a name in braces that concerns the chat.
  mutating func prepareChat(_ name: String) async throws {
    if values["chat"] == nil, ["chat", "message", "chatPicture"].contains(name) { values["chat"] = try await chat() }
    let id = values["chat"] ?? ""
    switch name {
    case "message":
      try await world.sql(
        """
        insert into tracking.chat_messages (conversation_id, sequence, sender_id, client_message_id, text, words, created_at)
        values ('\(id)', 3, '\(world.cast.owner.id)', gen_random_uuid(), 'hello', 'hello'::tsvector, now());
        update tracking.chat_conversations set last_sequence = 3 where id = '\(id)'
        """)
      values[name] = "3"
    case "chatPicture":
      if values["message"] == nil { try await prepareChat("message") }
      values[name] = try await picture(of: id)
    default: break
    }
  }

  /// The conversation of a new group of the owner and the member.
  private func chat() async throws -> String {
    let group = try await group(
      with: world.cast.member, try await world.cast.owner.options(at: world.identity))
    try await until("tracking knows the members") {
      try await world.sql("select count(*) from tracking.chat_members where conversation_id = '\(group)'") == [["2"]]
    }
    return group
  }

  /// A picture of the owner's message.
  private func picture(of conversation: String) async throws -> String {
    let file = [UInt8](try #require(Data(base64Encoded: Self.picture)))
    let uploaded = try await ChatClient(try world.server("tracking").client()).uploadPicture(
      try await world.cast.owner.options(at: world.identity)
    ) { writer in
      try await writer.send(UploadPictureRequest(chunk: file, conversationID: conversation))
    }
    try await world.sql("update tracking.chat_pictures set sequence = 3 where id = '\(uploaded.pictureID)'")
    return uploaded.pictureID
  }
}
