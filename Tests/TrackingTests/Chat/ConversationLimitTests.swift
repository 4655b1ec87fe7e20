import ChatDomain
import Identifiers
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing
import TrackingStore
import Usernames

@Suite("limits of what a user does in the chat", .timeLimit(.minutes(5)))
struct ConversationLimitTests {
  @Test("[TR-30] of 64 direct conversations that a user begins at once 50 begin within a day, and known ones are found")
  func newConversations() async throws {
    try await RunningTracking.with { tracking in
      let others = (0..<64).map { TestUser.one($0) }
      try await tracking.own.write(NameUsers(others.map { Naming($0.id, $0.name) }))
      let known = try await tracking.direct(.grace, with: .ada)
      let results = await tracking.service.race(64) { client, number in
        try await ChatClient(client).getOrCreateDirectConversation(
          GetOrCreateDirectConversationRequest(userID: others[number].id.description), TestUser.ada.options)
      }
      #expect(results.successes().count == 50)
      #expect(Set(results.refusals().map(\.reason)) == ["TOO_MANY_NEW_CONVERSATIONS"])
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted })
      #expect(try await tracking.value("select count(*) from chat_conversations") == "51")
      #expect(try await tracking.direct(.ada, with: .grace) == known)
      let begun = try await tracking.sql("select second_user_id::text from chat_conversations").compactMap { $0[0] }
      let left = try #require(others.first { !begun.contains($0.id.description) })
      tracking.clock.advance(by: .seconds(24 * 3_600))
      _ = try await tracking.direct(.ada, with: left)
    }
  }

  @Test("[TR-31] a user has 20 streams open at a server, and another one after one has ended")
  func streams() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      @Sendable func follow() async throws {
        let call = FollowRequest(conversations: [OpenConversation(conversationID: id.description)])
        try await tracking.chat.follow(call, TestUser.ada.options) { events in
          for try await event in events { if case .opened = event.event { return } }
        }
      }
      try await tracking.connected(Array(repeating: .ada, count: 20), to: id) { _ in
        let refused = try await refusal { try await follow() }
        #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_STREAMS")
        try await tracking.connected(.grace) { try await $0.open(id) }
      }
      try await until("the streams have ended") {
        do { try await follow() } catch let status as Status where status.reason == "TOO_MANY_STREAMS" { return false }
        return true
      }
    }
  }

  @Test(
    "[TR-32] [C-12] 4,000 characters may take four bytes each, and are counted after they are composed",
    arguments: ["\u{1F6B2}", "e\u{0301}", "\u{1112}\u{1161}\u{11AB}", "\u{05D0}"])
  func longest(_ character: String) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let longest = String(repeating: character, count: 4_000)
        try await devices[0].say(longest, in: id)
        let stored = try await tracking.history(id, as: .ada).messages.last?.text
        #expect(stored == longest && stored?.unicodeScalars.count == 4_000)
        let event = try await devices[0].ask(
          .send(
            SendMessageRequest(
              conversationID: id.description, clientMessageID: "\(Device.newID())", text: longest + character)))
        guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
        #expect(refused.reason == "TEXT_INVALID")
      }
    }
  }

  @Test(
    "[C-12] an edit cannot bring in what a message could not have, and leaves the message as it is",
    arguments: ["\u{202E}exe.txt", "\u{2066}a", "a\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}", "\u{200F}"])
  func edited(_ text: String) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let number = try await tracking.say("שלום, this is plain", in: id, as: .ada)
      let refused = try await refusal {
        try await tracking.chat.editMessage(
          EditMessageRequest(conversationID: id.description, sequence: number, text: text), TestUser.ada.options)
      }
      #expect(refused.code == .invalidArgument && refused.fields == ["text"])
      #expect(try await tracking.history(id, as: .ada).messages.last?.text == "שלום, this is plain")
    }
  }

  @Test("[TR-33] unread messages are counted among the last 1,000, whoever wrote what comes before")
  func unread() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.sql(
        """
        insert into chat_messages (conversation_id, sequence, sender_id, text, created_at)
        select '\(id)', number, case when number > 1500 then '\(TestUser.grace.id)'::uuid else '\(TestUser.ada.id)'::uuid end, 'a', now()
        from generate_series(3, 2000) as number;
        update chat_conversations set last_sequence = 2000
        """)
      #expect(try await tracking.unread(id, as: .ada) == 500)
      #expect(try await tracking.unread(id, as: .grace) == 500)
      let marked = try await tracking.chat.markRead(
        MarkReadRequest(conversationID: id.description, sequence: 1_900), TestUser.ada.options)
      #expect(marked == MarkReadResponse(readSequence: 1_900, unreadCount: 100))
    }
  }
}
