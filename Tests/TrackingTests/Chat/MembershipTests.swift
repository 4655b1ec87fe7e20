import AccountDeletions
import Blocks
import ChatDomain
import Identifiers
import Postgres
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing
import TrackingStore

@Suite("members of conversations", .timeLimit(.minutes(5)))
struct ChatMembershipTests {
  @Test("[TR-31] [TR-30] the conversation of a group says who joined the group and who left the group")
  func notices() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      try await tracking.connected([.ada], to: id) { devices in
        try await tracking.join(.grace, id)
        try await tracking.remove(.grace, id)
        try await until("both came") { devices[0].messages(id).count == 2 }
        #expect(devices[0].texts(id) == ["joined the group", "left the group"])
        #expect(
          devices[0].messages(id).map(\.senderID) == [TestUser.grace.id.description, TestUser.grace.id.description])
        #expect(devices[0].messages(id).map(\.notice) == [.joined, .left])
      }
    }
  }

  @Test("[TR-34] a removed member receives nothing that is sent afterwards, and can neither send nor read")
  func removed() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        try await tracking.remove(.grace, id)
        try await devices[0].say("secret", in: id)
        let closed = try await eventually("it is closed") {
          devices[1].events.first { if case .closed = $0.event { true } else { false } }
        }
        #expect(closed.event == .closed(Closed(reason: .notAMember)))
        #expect(devices[1].texts(id) == [])
        let message = SendMessageRequest(
          conversationID: id.description, clientMessageID: "\(Device.newID())", text: "hello")
        let event = try await devices[1].ask(.send(message))
        guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
        #expect(refused.reason == "CONVERSATION_NOT_FOUND")
        let unread = try await refusal { try await tracking.history(id, as: .grace) }
        #expect(unread.code == .notFound && unread.reason == "CONVERSATION_NOT_FOUND")
        #expect(try await tracking.chat.listConversations(.init(), TestUser.grace.options).conversations == [])
      }
    }
  }

  @Test("[TR-34] of 64 messages beside the removal of their sender none is stored after it")
  func race() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        async let results = tracking.service.race(64) { client, number in
          try await ChatClient(client).sendMessage(
            SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "\(number)"),
            TestUser.grace.options)
        }
        try await tracking.remove(.grace, id)
        let stored = await results.successes().map(\.sequence)
        let left = try #require(try await tracking.value("select sequence from chat_messages where notice = 'LEFT'"))
        #expect(stored.allSatisfy { $0 < Int64(left) ?? 0 })
        let refused = await Set(results.refusals().map { $0.reason ?? "" })
        #expect(refused.isSubset(of: ["CONVERSATION_NOT_FOUND"]))
        #expect(
          try await tracking.value("select count(*) = max(sequence) from chat_messages") == "t", "numbers without gaps")
      }
    }
  }

  @Test("[TR-33] a member sees the messages from joining on, and who joins again those from then on")
  func joining() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      _ = try await tracking.say("before", in: id, as: .ada)
      try await tracking.join(.grace, id)
      _ = try await tracking.say("meanwhile", in: id, as: .ada)
      #expect(try await tracking.history(id, as: .grace).messages.map(\.text) == ["joined the group", "meanwhile"])
      try await tracking.remove(.grace, id)
      _ = try await tracking.say("away", in: id, as: .ada)
      try await tracking.join(.grace, id)
      let seen = try await tracking.history(id, as: .grace, .after(0))
      #expect(seen.messages.map(\.text) == ["joined the group"])
      try await tracking.connected(.grace) { device in
        try await device.open(id, after: Position())
        try await until("something came") { !device.texts(id).isEmpty }
        #expect(device.texts(id) == ["joined the group"])
      }
    }
  }

  @Test("[TR-33] T-7: who left and joined again deletes own messages from before, and no others")
  func deletesOldMessages() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let own = try await tracking.say("written before", in: id, as: .grace)
      let other = try await tracking.say("written by another", in: id, as: .ada)
      let call = DeleteMessageRequest(conversationID: id.description, sequence: own)
      try await tracking.remove(.grace, id)
      let gone = try await refusal { try await tracking.chat.deleteMessage(call, TestUser.grace.options) }
      #expect(gone.reason == "CONVERSATION_NOT_FOUND")
      try await tracking.join(.grace, id)
      try await tracking.connected([.ada], to: id) { devices in
        let deleted = try await tracking.chat.deleteMessage(call, TestUser.grace.options)
        #expect(deleted.text.isEmpty && deleted.deleteTime != nil)
        #expect(try await tracking.chat.deleteMessage(call, TestUser.grace.options) == deleted)
        let removed = try await eventually("the deletion is seen") {
          devices[0].messages(id).last { $0.sequence == own && $0.deleteTime != nil }
        }
        #expect(removed.text.isEmpty)
      }
      let refused = try await refusal {
        try await tracking.chat.deleteMessage(
          DeleteMessageRequest(conversationID: id.description, sequence: other), TestUser.grace.options)
      }
      #expect(refused.code == .notFound && refused.reason == "MESSAGE_NOT_FOUND")
      let texts = try await tracking.history(id, as: .ada).messages.map(\.text)
      #expect(texts.contains("written by another"))
    }
  }

  @Test("[TR-30] of 64 first calls of two users one begins their direct conversation, and all get it")
  func direct() async throws {
    try await RunningTracking.with { tracking async throws in
      let results = await tracking.service.race(64) { client, number in
        let (one, other) = number.isMultiple(of: 2) ? (TestUser.ada, TestUser.grace) : (.grace, .ada)
        return try await ChatClient(client).getOrCreateDirectConversation(
          GetOrCreateDirectConversationRequest(userID: other.id.description), one.options)
      }
      #expect(results.successes().count == 64)
      #expect(Set(results.successes().map(\.conversationID)).count == 1)
      #expect(try await tracking.value("select count(*) from chat_conversations") == "1")
    }
  }

  @Test("[TR-30] a direct conversation is only with another user who has an account")
  func directRefused() async throws {
    try await RunningTracking.with { tracking in
      let own = try await refusal { try await tracking.direct(.ada, with: .ada) }
      #expect(own.code == .invalidArgument && own.reason == "OWN_USER_ID")
      let unknown = try await refusal { try await tracking.direct(.ada, with: .one(7)) }
      #expect(unknown.code == .notFound && unknown.reason == "USER_NOT_FOUND")
    }
  }

  @Test("[C-10] a block hides a direct conversation from both, and ends what is open", arguments: [true, false])
  func blocked(byFirst: Bool) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.direct(.ada, with: .grace)
      let (blocker, blocked) = byFirst ? (TestUser.ada, TestUser.grace) : (.grace, .ada)
      try await tracking.connected([.ada, .grace], to: id) { devices in
        try await devices[0].say("hello", in: id)
        let pair = try #require(UserPair(blocker.id, blocked.id))
        try await tracking.own.repeatableTransaction { tx in
          try await tx.execute(AddBlocks([Block(of: blocked.id, by: blocker.id)]))
          try await tracking.chatOperations.lookAtBlocks(of: [pair], tx)
        }
        for device in devices {
          try await until("it is closed") {
            device.events.contains { $0.event == .closed(Closed(reason: .notAMember)) }
          }
          let event = try await device.ask(
            .send(SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "a")))
          guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
          #expect(refused.reason == "CONVERSATION_NOT_FOUND")
          #expect(try await tracking.chat.listConversations(.init(), device.user.options).conversations == [])
          let again = try await refusal {
            try await tracking.direct(device.user, with: device === devices[0] ? .grace : .ada)
          }
          #expect(again.reason == "USER_NOT_FOUND")
        }
      }
    }
  }

  @Test(
    "[C-10] B11: in a group a block hides messages from search, and folds them in the conversation until one is asked for",
    arguments: [true, false])
  func blockedInGroup(byReader: Bool) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      _ = try await tracking.say("a bicycle", in: id, as: .ada)
      let (blocker, blocked) = byReader ? (TestUser.grace, TestUser.ada) : (.ada, .grace)
      let block = Block(of: blocked.id, by: blocker.id)
      try await tracking.own.repeatableTransaction { tx in try await tx.execute(AddBlocks([block])) }
      let query = SearchMessagesRequest(query: "bicycle")
      #expect(try await tracking.chat.searchMessages(query, TestUser.grace.options).messages == [])
      #expect(try await tracking.chat.searchMessages(query, TestUser.ada.options).messages.count == 1)
      for (reader, other) in [(TestUser.grace, TestUser.ada), (.ada, .grace)] {
        _ = try await tracking.say("of \(other.name)", in: id, as: other)
        let folded = try #require(try await tracking.history(id, as: reader).messages.last)
        #expect(folded.folded && folded.text.isEmpty && folded.senderID == other.id.description)
        #expect(try await tracking.history(id, as: other).messages.last?.text == "of \(other.name)")
        let mine = try await tracking.chat.listConversations(.init(), reader.options).conversations
        #expect(mine.compactMap(\.lastMessage) == [folded])
        let wanted = GetMessageRequest(conversationID: id.description, sequence: folded.sequence)
        let whole = try await tracking.chat.getMessage(wanted, reader.options)
        #expect(!whole.folded && whole.text == "of \(other.name)")
        let reaction = ReactRequest(conversationID: id.description, sequence: folded.sequence, emoji: "👍")
        #expect(try await tracking.chat.react(reaction, reader.options).folded)
        #expect(
          try await tracking.history(id, as: other).messages.last?.reactions == [], "of the reader, who is hidden")
      }
      try await tracking.unblockInChat(block)
      let seen = try await tracking.history(id, as: .grace).messages
      #expect(seen.allSatisfy { !$0.folded } && seen.last?.reactions.map(\.userID) == [TestUser.ada.id.description])
    }
  }

  @Test("[C-10] [C-2] B11: what no message of the conversation is cannot be asked for")
  func noSuchMessage() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let call = GetMessageRequest(conversationID: id.description, sequence: 1_000)
      let member = try await refusal { try await tracking.chat.getMessage(call, TestUser.ada.options) }
      let stranger = try await refusal { try await tracking.chat.getMessage(call, TestUser.alan.options) }
      #expect(member.reason == "MESSAGE_NOT_FOUND" && stranger.reason == "CONVERSATION_NOT_FOUND")
      let bad = try await refusal {
        try await tracking.chat.getMessage(GetMessageRequest(conversationID: "x", sequence: -1), TestUser.ada.options)
      }
      #expect(bad.fields == ["conversation_id", "sequence"])
    }
  }

  @Test("[C-9] of a user who deletes the account messages stay without sender and content, and their numbers")
  func deletedAccount() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let direct = try await tracking.direct(.ada, with: .grace)
      for place in [id, direct] {
        _ = try await tracking.say("of grace", in: place, as: .grace)
        let number = try await tracking.say("of ada", in: place, as: .ada)
        _ = try await tracking.chat.react(
          ReactRequest(conversationID: place.description, sequence: number, emoji: "👍"), TestUser.grace.options)
      }
      try await tracking.own.repeatableTransaction { tx in
        for removal in TrackingSchema.removals { try await tx.remove(TestUser.grace.id, by: removal) }
        try await tracking.chatOperations.followGroups([id], tx)
      }
      try await until("it is removed") { try await tracking.value("select count(*) from chat_erasures") == "0" }
      let whole = try await tracking.sql("select chat_messages::text from chat_messages")
      #expect(!"\(whole)".contains(TestUser.grace.id.description) && !"\(whole)".contains("of grace"))
      for table in ["chat_members", "chat_reactions", "chat_presence", "chat_conversations"] {
        let rows = try await tracking.sql("select \(table)::text from \(table)")
        #expect(!"\(rows)".contains(TestUser.grace.id.description), "in \(table)")
      }
      let seen = try await tracking.history(id, as: .ada).messages
      #expect(seen.map(\.sequence) == Array(1...Int64(seen.count)))
      #expect(seen.map(\.text).suffix(3) == ["", "of ada", "left the group"])
      #expect(seen.allSatisfy { $0.reactions.isEmpty })
      try await tracking.connected([.ada], to: direct) { devices in
        let event = try await devices[0].ask(
          .send(SendMessageRequest(conversationID: direct.description, clientMessageID: "\(Device.newID())", text: "a"))
        )
        guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
        #expect(refused.reason == "RECIPIENT_GONE")
      }
    }
  }
}

extension Transaction {
  /// Does what the consumer of deleted accounts does for one table.
  func remove<R: AccountDeletionStatement>(_ user: UserID, by removal: R.Type) async throws {
    try await execute(R(userID: user))
  }
}
