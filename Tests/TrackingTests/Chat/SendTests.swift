import ChatDomain
import Identifiers
import TTRPC
import TandemChat
import TandemEvents
import TestServices
import TestSupport
import Testing

@Suite("sending messages", .timeLimit(.minutes(5)))
struct SendTests {
  private static let senders = 64

  @Test("[TR-32] messages of 64 senders have numbers without gaps, and all members receive them in that order")
  func order() async throws {
    try await RunningTracking.with { tracking in
      let members = (0..<8).map { TestUser.one($0) }
      let id = try await tracking.conversation(of: members)
      try await tracking.connected(members, to: id) { devices in
        let results = await tracking.service.race(Self.senders) { client, number in
          try await ChatClient(client).sendMessage(
            SendMessageRequest(
              conversationID: id.description, clientMessageID: "\(Device.newID())", text: "message \(number)"),
            devices[number % 8].user.options)
        }
        #expect(results.successes().count == Self.senders)
        let numbers = results.successes().map(\.sequence).sorted()
        #expect(numbers == Array(9...Int64(8 + Self.senders)), "the first eight are of the members who joined")
        for device in devices {
          try await until("the device has all messages") { device.messages(id).count == Self.senders }
          #expect(device.messages(id).map(\.sequence) == numbers)
          #expect(device.texts(id) == devices[0].texts(id))
        }
      }
    }
  }

  @Test("[TR-32] of 64 calls with one client message id one stores a message, and all get its number")
  func idempotent() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { _ async throws in
        let message = SendMessageRequest(
          conversationID: id.description, clientMessageID: "\(Device.newID())", text: "once")
        let results = await tracking.service.race(Self.senders) { client, _ in
          try await ChatClient(client).sendMessage(message, TestUser.ada.options)
        }
        #expect(results.successes().count == Self.senders)
        #expect(Set(results.successes().map(\.sequence)) == [3])
        #expect(try await tracking.value("select count(*) from chat_messages where text = 'once'") == "1")
        #expect(try await tracking.value("select last_sequence from chat_conversations") == "3")
      }
    }
  }

  @Test("[TR-32] who is not connected to a conversation cannot send to it")
  func offline() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let refused = try await refusal {
        try await tracking.chat.sendMessage(
          SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "hello"),
          TestUser.ada.options)
      }
      #expect(refused.code == .failedPrecondition && refused.reason == "NOT_CONNECTED")
    }
  }

  @Test("[TR-32] 4,000 characters in several lines can be sent, and 4,001 cannot")
  func longest() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let longest = String(repeating: "ü", count: 3_998) + "\nb"
        try await devices[0].say(longest, in: id)
        #expect(try await tracking.history(id, as: .ada).messages.last?.text == longest)
        let message = SendMessageRequest(
          conversationID: id.description, clientMessageID: "\(Device.newID())", text: longest + "c")
        let event = try await devices[0].ask(.send(message))
        guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
        #expect(refused.reason == "TEXT_INVALID" && refused.fields == ["text"])
        #expect(refused.clientMessageID == message.clientMessageID)
      }
    }
  }

  @Test(
    "[C-12] texts that hide something are refused, and the stream goes on",
    arguments: [
      "", " \n ", "\u{202E}txt.exe", "a\u{2062}b", "\u{200B}", "e\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}",
      "a\u{0}",
    ])
  func hidden(_ text: String) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let event = try await devices[0].ask(
          .send(
            SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: text)))
        guard case .refusal(let refused) = event.event else { throw Device.UnexpectedEvent(event: event) }
        #expect(refused.reason == "TEXT_INVALID")
        try await devices[0].say("still here", in: id)
      }
    }
  }

  @Test(
    "[TR-32] [C-12] T-7: marks of scripts and keyboards that show nothing are left out of a message",
    arguments: [
      ("ខ្ញុំ\u{200B}ស្រលាញ់", "ខ្ញុំស្រលាញ់"), ("\u{200F}שלום\u{200E}!", "שלום!"), ("\u{61C}سلام", "سلام"),
      ("\u{FEFF}so\u{AD}ft", "soft"),
      ("می\u{200C} می\u{200C}خواهم", "می می\u{200C}خواهم"), ("cafe\u{200B}\u{301}", "café"),
    ])
  func strayMarks(typed: String, stored: String) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let number = try await tracking.say(typed, in: id, as: .ada)
      let text = try await tracking.history(id, as: .grace).messages.last?.text
      #expect(text.map { Array($0.unicodeScalars) } == Array(stored.unicodeScalars))
      let edited = try await tracking.chat.editMessage(
        EditMessageRequest(conversationID: id.description, sequence: number, text: "\(typed)."), TestUser.ada.options)
      #expect(Array(edited.text.unicodeScalars) == Array("\(stored).".unicodeScalars))
      let found = try await tracking.chat.searchMessages(SearchMessagesRequest(query: typed), TestUser.ada.options)
      #expect(found.messages.map { $0.message?.sequence } == [number])
    }
  }

  @Test("[C-2] every bad field is named at once")
  func badFields() async throws {
    try await RunningTracking.with { tracking in
      let refused = try await refusal {
        try await tracking.chat.sendMessage(
          SendMessageRequest(
            conversationID: "x", clientMessageID: "y", text: "", replyToSequence: -1), TestUser.ada.options)
      }
      #expect(refused.code == .invalidArgument)
      #expect(Set(refused.fields) == ["conversation_id", "client_message_id", "text", "reply_to_sequence"])
    }
  }

  @Test("[TR-32] who was offline gets the messages from the position on, and each once")
  func reconnect() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let position = try await tracking.connected([.ada, .grace], to: id) { devices in
        try await devices[0].say("one", in: id)
        try await until("it came") { devices[1].texts(id) == ["one"] }
        return devices[1].position
      }
      try await tracking.connected([.ada], to: id) { devices in
        for number in 0..<250 { try await devices[0].say("missed \(number)", in: id) }
        try await tracking.connected(.grace) { device in
          try await device.open(id, after: position)
          try await devices[0].say("now", in: id)
          try await until("all came") { device.texts(id).last == "now" }
          #expect(device.messages(id).map(\.sequence) == Array(4...254))
        }
      }
    }
  }

  @Test("[TR-32] a message of a client that sends on while many others send is not lost on reconnection")
  func reconnectUnderLoad() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { for number in 0..<400 { try await devices[0].say("\(number)", in: id) } }
          for _ in 0..<5 {
            try await tracking.connected(.grace) { device in
              try await device.open(id, after: Position())
              try await until("some came") { device.messages(id).count > 50 }
              let numbers = device.messages(id).map(\.sequence)
              #expect(numbers == Array(2..<Int64(2 + numbers.count)))
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("[TR-32] members who are offline get one notification, until they connect again")
  func notification() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan], named: "Readers")
      try await tracking.connected([.ada, .alan], to: id) { devices in
        for number in 0..<50 { try await devices[0].say("\(number)", in: id) }
        tracking.clock.advance(by: .seconds(6))
        try await until("it is told") { try await tracking.told(NotificationRequested.self).count == 1 }
        try await devices[0].say("more", in: id)
        tracking.clock.advance(by: .seconds(6))
        try await until("it was looked at") {
          try await tracking.value("select count(*) from chat_conversations where notice_due_at is not null") == "0"
        }
        let told = try await tracking.told(NotificationRequested.self)
        #expect(told.map(\.recipientIds) == [[TestUser.grace.id.description]])
        #expect(told.first?.subject == "chats/\(id)")
        #expect(
          told.first?.news == .chatMessage(.init(senderID: TestUser.ada.id.description, conversation: "Readers")))
        try await tracking.connected(.grace) { try await $0.open(id) }
        try await until("she is offline") { try await tracking.value("select count(*) from chat_presence") == "2" }
        try await devices[0].say("again", in: id)
        tracking.clock.advance(by: .seconds(6))
        try await until("it is told again") { try await tracking.told(NotificationRequested.self).count == 2 }
      }
    }
  }

  @Test("a reply names a message that the sender sees")
  func reply() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let first = try await devices[0].say("first", in: id).sequence
        for (number, reason) in [(first, ""), (99, "REPLIED_MESSAGE_NOT_FOUND")] {
          let event = try await devices[0].ask(
            .send(
              SendMessageRequest(
                conversationID: id.description, clientMessageID: "\(Device.newID())", text: "re",
                replyToSequence: number)))
          if case .refusal(let refused) = event.event {
            #expect(refused.reason == reason)
          } else {
            #expect(reason == "")
          }
        }
        #expect(try await tracking.history(id, as: .grace).messages.last?.replyToSequence == first)
      }
    }
  }
}
