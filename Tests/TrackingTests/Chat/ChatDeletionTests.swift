import AccountDeletions
import ChatDomain
import Identifiers
import Postgres
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing
import TrackingStore

@Suite("the chat of users who delete their accounts", .timeLimit(.minutes(5)))
struct ChatDeletionTests {
  @Test("[C-9] what a deleted user sent before the group learned of it is removed too")
  func lastMessage() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        try await tracking.delete(.grace)
        try await until("she is looked at") {
          try await tracking.value("select count(*) from chat_messages where sender_id = '\(TestUser.grace.id)'") == "0"
        }
        // Her device is still connected, and online until it is told.
        try await tracking.sql(
          """
          insert into chat_presence select '\(id)', '\(TestUser.grace.id)', id from chat_replicas on conflict do nothing
          """)
        let number = try await devices[1].say("the last word", in: id).sequence
        do {
          _ = try await tracking.chat.react(
            ReactRequest(conversationID: id.description, sequence: number, emoji: "👍"), TestUser.grace.options)
        } catch let status as Status where status.reason == "MESSAGE_NOT_FOUND" {
          // What she wrote is looked for every second, and was found between the two.
        }
        try await tracking.followGroup(id)
        try await until("nothing is left") { try await tracking.value("select count(*) from chat_erasures") == "0" }
        try await tracking.expectNothing(of: .grace)
      }
    }
  }

  @Test("[C-9] of a user who has only uploaded a picture, and has left the group since, nothing stays")
  func picture() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      _ = try await tracking.chat.uploadPicture(TestUser.grace.options) { writer in
        try await writer.send(UploadPictureRequest(chunk: file, conversationID: id.description))
      }
      try await tracking.remove(.grace, id)
      try await tracking.delete(.grace)
      try await until("nothing is left") { try await tracking.value("select count(*) from chat_erasures") == "0" }
      #expect(try await tracking.value("select count(*) from pictures") == "0")
      try await tracking.expectNothing(of: .grace)
      let refused = try await refusal {
        try await tracking.chat.uploadPicture(TestUser.grace.options) { writer in
          try await writer.send(UploadPictureRequest(chunk: file, conversationID: id.description))
        }
      }
      #expect(refused.reason == "CONVERSATION_NOT_FOUND")
    }
  }

  @Test("[C-9] a direct conversation of two users who both deleted their accounts is removed, with how many they began")
  func both() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.direct(.ada, with: .grace)
      _ = try await tracking.say("hello", in: id, as: .ada)
      _ = try await tracking.say("hi", in: id, as: .grace)
      for user in [TestUser.ada, .grace] { try await tracking.delete(user) }
      try await until("nothing is left") { try await tracking.value("select count(*) from chat_erasures") == "0" }
      for user in [TestUser.ada, .grace] { try await tracking.expectNothing(of: user) }
      #expect(try await tracking.value("select count(*) from chat_conversations where abandoned_at is null") == "0")
    }
  }

  @Test("[C-9] a deleted user blocks, searches and follows no more, and is found by no search")
  func found() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      _ = try await tracking.say("a green bicycle", in: id, as: .grace)
      try await tracking.delete(.grace)
      try await tracking.followGroup(id)
      try await until("nothing is left") { try await tracking.value("select count(*) from chat_erasures") == "0" }
      let query = SearchMessagesRequest(query: "bicycle")
      #expect(try await tracking.chat.searchMessages(query, TestUser.ada.options).messages == [])
      #expect(try await tracking.chat.searchMessages(query, TestUser.grace.options).messages == [])
      let refused = try await refusal { try await tracking.direct(.ada, with: .grace) }
      #expect(refused.reason == "USER_NOT_FOUND")
      #expect(try await tracking.unread(id, as: .ada) == 0)
    }
  }

  @Test("[C-9] B10: a user whose messages cannot be removed keeps no other user's from being")
  func failingRemoval() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan])
      for user in [TestUser.ada, .grace] { _ = try await tracking.say("from \(user.id)", in: id, as: user) }
      try await tracking.sql(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          if old.sender_id = '\(TestUser.ada.id)' then raise exception 'not this one'; end if;
          return coalesce(new, old);
        end
        $$;
        create trigger refused before update or delete on chat_messages for each row execute function refuse()
        """)
      for user in [TestUser.ada, .grace] { try await tracking.delete(user) }
      try await tracking.followGroup(id)
      try await until("nothing is left of the other") {
        try await tracking.value("select count(*) from chat_erasures where user_id = '\(TestUser.grace.id)'") == "0"
      }
      #expect(try await tracking.sql("select user_id from chat_erasures") == [["\(TestUser.ada.id)"]])
    }
  }
}

extension RunningTracking {
  /// Does what the consumer of deleted accounts does.
  fileprivate func delete(_ user: TestUser) async throws {
    try await own.repeatableTransaction { tx in
      for removal in TrackingSchema.removals { try await tx.remove(user.id, by: removal) }
    }
  }

  /// No table of the chat has the user's id.
  fileprivate func expectNothing(of user: TestUser, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for table in [
      "chat_conversations", "chat_members", "chat_messages", "chat_reactions", "chat_pictures", "chat_presence",
      "chat_quotas", "picture_quotas",
    ] {
      let rows = try await sql("select \(table)::text from \(table)")
      #expect(!"\(rows)".contains(user.id.description), "in \(table)", sourceLocation: sourceLocation)
    }
  }
}
