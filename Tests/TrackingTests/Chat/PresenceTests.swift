import Blocks
import ChatDomain
import Identifiers
import Synchronization
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing

@Suite("presence in conversations", .timeLimit(.minutes(5)))
struct PresenceTests {
  @Test("[TR-31] the others are told who connected to the group and who disconnected from the group")
  func connecting() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.grace], to: id) { devices in
        try await tracking.connected([.ada], to: id) { others in
          try await until("it is told") { !devices[0].presence.isEmpty }
          #expect(
            try await tracking.chat.listMembers(.init(conversationID: id.description), TestUser.ada.options)
              .members.allSatisfy(\.online))
          #expect(others[0].presence == [])
        }
        try await until("both are told") { devices[0].presence.count == 2 }
        #expect(devices[0].presence == ["ada connected to the group", "ada disconnected from the group"])
      }
    }
  }

  @Test("[TR-31] a user with several devices goes offline with the last")
  func devices() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.grace], to: id) { watching in
        try await tracking.connected([.ada], to: id) { first in
          try await tracking.connected([.ada], to: id) { _ in }
          try await first[0].say("still here", in: id)
          try await until("it came") { watching[0].texts(id) == ["still here"] }
          #expect(watching[0].presence == ["ada connected to the group"])
        }
        try await until("she is offline") { watching[0].presence.count == 2 }
      }
    }
  }

  @Test("[TR-31] users of a replica that crashed are offline once its lease ends")
  func crash() async throws {
    try await RunningTracking.with(["--chat-lease", "6s"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.sql(
        """
        insert into chat_replicas values ('01900000-0000-7000-8000-00000000abcd', now() + interval '1 hour');
        insert into chat_presence values ('\(id)', '\(TestUser.ada.id)', '01900000-0000-7000-8000-00000000abcd')
        """)
      try await tracking.connected([.grace], to: id) { devices in
        try await tracking.sql(
          "update chat_replicas set expires_at = now() where id = '01900000-0000-7000-8000-00000000abcd'")
        try await until("it is told") { devices[0].presence == ["ada disconnected from the group"] }
        try await until("it is removed") { try await tracking.value("select count(*) from chat_replicas") == "1" }
      }
    }
  }

  @Test(
    "[TR-31] a conversation can be opened though the replica has no lease, as before its first one or after a pause")
  func noLease() async throws {
    // A lease that is renewed so seldom is not renewed by itself while the test lasts.
    try await RunningTracking.with(["--chat-lease", "1h"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      for round in 0..<2 {
        try await until("the first lease began") {
          try await tracking.value("select count(*) from chat_replicas") == "1"
        }
        try await tracking.sql("delete from chat_replicas")
        try await tracking.connected(round == 0 ? .ada : .grace) { device in
          try await device.open(id)
          #expect(try await tracking.value("select count(*) from chat_presence") == "1")
          try await device.say("hello", in: id)
        }
        try await until("the user is offline") { try await tracking.value("select count(*) from chat_presence") == "0" }
      }
      try await tracking.sql("delete from chat_replicas")
      let call = FollowRequest(conversations: [OpenConversation(conversationID: id.description)])
      try await tracking.chat.follow(call, TestUser.ada.options) { events in
        for try await event in events { if case .opened = event.event { break } }
      }
      #expect(try await tracking.value("select count(*) from chat_replicas") == "1")
    }
  }

  @Test(
    "[TR-31] [TR-32] O-10: who has a stream open sends although the lease ended, as over a failover of the database",
    arguments: [
      "update chat_replicas set expires_at = now() - interval '1 second'",
      "delete from chat_presence; delete from chat_replicas",
    ])
  func leaseEnded(_ ends: String) async throws {
    // A lease that is renewed so seldom is not renewed by itself while the test lasts.
    try await RunningTracking.with(["--chat-lease", "1h"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        try await tracking.sql(ends)
        try await devices[0].say("by the stream", in: id)
        try await tracking.sql(ends)
        _ = try await tracking.chat.sendMessage(
          SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "by a call"),
          TestUser.ada.options)
        #expect(
          try await tracking.value(
            "select count(*) from chat_presence join chat_replicas on id = replica_id where expires_at > now()") == "1")
        // Who has none is refused as before.
        try await tracking.sql(ends)
        let refused = try await refusal {
          try await tracking.chat.sendMessage(
            SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "hello"),
            TestUser.grace.options)
        }
        #expect(refused.reason == "NOT_CONNECTED")
      }
    }
  }

  @Test("[TR-31] O-10: a lease that could not be renewed is tried again at once, not after a third of it")
  func renewalFails() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await database.sql(
        """
        create sequence tries;
        create function refuse_renewal() returns trigger language plpgsql security definer set search_path = tracking as
          $$ begin perform nextval('tries'); raise exception 'not now'; end $$;
        create trigger refuse_renewal before insert on chat_replicas for each row execute function refuse_renewal()
        """, in: "tracking")
      // Until a third of it has passed no test lasts.
      try await RunningTracking.with(on: database, ManualClock(), ["--chat-lease", "1h"]) { tracking in
        try await until("some failed") {
          Int(try await tracking.value("select last_value from tries") ?? "") ?? 0 >= 6
        }
        try await tracking.sql("drop trigger refuse_renewal on chat_replicas")
        try await until("it is there") { try await tracking.value("select count(*) from chat_replicas") == "1" }
      }
    }
  }

  @Test("[TR-31] [TR-32] two replicas: both see the same order, and when one ends its users go offline")
  func replicas() async throws {
    try await RunningTracking.with { first in
      let id = try await first.conversation(of: [.ada, .grace, .alan])
      try await first.connected([.grace], to: id) { devices in
        let watching = devices[0]
        try await RunningTracking.with(on: first.database, first.clock) { second in
          try await second.connected([.ada, .alan], to: id) { others in
            try await withThrowingTaskGroup(of: Void.self) { group in
              for device in devices + others {
                group.addTask { for number in 0..<40 { try await device.say("\(device.user.name) \(number)", in: id) } }
              }
              try await group.waitForAll()
            }
            for device in devices + others {
              try await until("all came") { device.messages(id).count == 120 }
              #expect(device.texts(id) == watching.texts(id))
              #expect(device.messages(id).map(\.sequence) == Array(4...123))
            }
          }
        }
        try await until("they are offline") {
          watching.events.filter { if case .presence(let one) = $0.event { !one.online } else { false } }.count == 2
        }
      }
    }
  }

  @Test("[TR-31] a client that sends nothing is disconnected")
  func silence() async throws {
    try await RunningTracking.with(["--chat-silence", "2s"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let failure = try await eventually("it is disconnected") { devices[0].failure }
        #expect(failure.code == .deadlineExceeded && failure.reason == "CLIENT_SILENT")
        try await until("she is offline") { try await tracking.value("select count(*) from chat_presence") == "0" }
      }
    }
  }

  @Test("[TR-32] a client without bidirectional streams is online while it follows, and sends by a call of its own")
  func follow() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let call = FollowRequest(conversations: [OpenConversation(conversationID: id.description, after: Position())])
      let texts = try await tracking.chat.follow(call, TestUser.ada.options) { events in
        var texts: [String] = []
        for try await event in events {
          if case .opened = event.event {
            _ = try await tracking.chat.sendMessage(
              SendMessageRequest(conversationID: id.description, clientMessageID: "\(Device.newID())", text: "hello"),
              TestUser.ada.options)
          }
          if case .message(let message) = event.event { texts.append(message.message?.text ?? "") }
          if texts.last == "hello" { break }
        }
        return texts
      }
      #expect(texts == ["joined the group", "joined the group", "hello"])
    }
  }

  @Test("[C-2] a conversation that is not there, none, and too many cannot be followed")
  func followRefused() async throws {
    try await RunningTracking.with { tracking in
      let one = OpenConversation(conversationID: "\(Device.newID())")
      for (conversations, reason) in [
        ([], "CONVERSATIONS_REQUIRED"), ([one], "CONVERSATION_NOT_FOUND"),
        (Array(repeating: one, count: 501), "TOO_MANY_CONVERSATIONS"),
        ([OpenConversation(conversationID: "x", after: Position(sequence: -1))], "INVALID_FIELDS"),
      ] {
        let refused = try await refusal {
          try await tracking.chat.follow(FollowRequest(conversations: conversations), TestUser.ada.options) { events in
            for try await _ in events {}
          }
        }
        #expect(refused.reason == reason)
      }
    }
  }

  @Test("[C-2] every bad field of the conversations to follow is named, before any is begun")
  func followNamesFields() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let refused = try await refusal {
        let conversations = [
          OpenConversation(conversationID: id.description), OpenConversation(conversationID: "x"),
          OpenConversation(conversationID: id.description, after: Position(sequence: 0, revision: -1)),
        ]
        try await tracking.chat.follow(FollowRequest(conversations: conversations), TestUser.ada.options) { events in
          for try await event in events { Issue.record("begun: \(event)") }
        }
      }
      #expect(refused.fields == ["conversations[1].conversation_id", "conversations[2].after"])
    }
  }

  @Test("[TR-31] of several conversations to follow those that are not there are closed, and the others go on")
  func followsOthers() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let call = FollowRequest(conversations: [
        OpenConversation(conversationID: "\(Device.newID())"), OpenConversation(conversationID: id.description),
      ])
      let events = try await tracking.chat.follow(call, TestUser.ada.options) { events in
        var iterator = events.makeAsyncIterator()
        return [try #require(try await iterator.next()), try #require(try await iterator.next())]
      }
      #expect(events.map(\.conversationID) == call.conversations.map(\.conversationID))
      #expect(events[0].event == .closed(Closed(reason: .notFound)))
      guard case .opened = events[1].event else {
        Issue.record("\(events)")
        return
      }
    }
  }

  @Test("typing and read marks reach the other members, and nothing of typing is stored")
  func typing() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        let last = try await devices[0].say("hello", in: id).sequence
        try await devices[1].send(.typingConversationID(id.description))
        try await devices[1].send(.markRead(MarkReadRequest(conversationID: id.description, sequence: last)))
        try await until("both came") {
          devices[0].events.contains { $0.event == .typingUserID(TestUser.grace.id.description) }
            && devices[0].events.contains {
              $0.event == .readMark(ReadMark(userID: TestUser.grace.id.description, sequence: last))
            }
        }
        #expect(!devices[1].events.contains { if case .typingUserID = $0.event { true } else { false } })
      }
    }
  }

  @Test("[C-10] in a group a block hides presence, typing and read marks, in both directions and until its end")
  func blocked() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan])
      let last = try await tracking.say("hello", in: id, as: .alan)
      try await tracking.connected([.ada, .grace, .alan], to: id) { devices in
        let block = Block(of: TestUser.grace.id, by: TestUser.ada.id)
        try await tracking.blockInChat(block)
        for (device, other) in [(devices[0], TestUser.grace), (devices[1], .ada)] {
          try await until("\(other.name) seems to be offline") { device.told(of: other).last == "offline" }
        }
        for device in devices.prefix(2) {
          try await device.send(.typingConversationID(id.description))
          try await device.send(.markRead(MarkReadRequest(conversationID: id.description, sequence: last)))
        }
        for one in [TestUser.ada, .grace] {
          try await until("the third member is told") {
            Set(devices[2].told(of: one)).isSuperset(of: ["typing", "read \(last)"])
          }
        }
        let members = try await tracking.chat.listMembers(
          ListMembersRequest(conversationID: id.description), TestUser.grace.options
        ).members
        #expect(
          members.first { $0.userID == TestUser.ada.id.description } == Member(userID: TestUser.ada.id.description))
        #expect(members.first { $0.userID == TestUser.alan.id.description }?.online == true)
        try await tracking.connected(.grace) { again in
          let opened = try await again.open(id)
          #expect(opened.members == members)
        }
        // Behind everything that the two might have been told.
        try await devices[2].say("see", in: id)
        for device in devices.prefix(2) { try await until("it came") { device.texts(id).contains("see") } }
        // B11: as they come, each other's messages are folded, and where a stream catches up too.
        for (device, text) in [(devices[0], "of ada"), (devices[1], "of grace")] { try await device.say(text, in: id) }
        try await until("the third member has both") {
          devices[2].texts(id).suffix(2).sorted() == ["of ada", "of grace"]
        }
        for (device, text) in [(devices[0], "of ada"), (devices[1], "of grace")] {
          try await until("it has both") { device.messages(id).suffix(2).map(\.text).sorted() == ["", text] }
          #expect(device.messages(id).suffix(2).map(\.folded).count { $0 } == 1)
          try await tracking.connected(device.user) { again in
            _ = try await again.open(id, after: Position(sequence: last))
            try await until("it caught up") { again.messages(id).suffix(2).map(\.text).sorted() == ["", text] }
          }
        }
        #expect(devices[0].told(of: .grace) == ["online", "offline"])
        #expect(devices[1].told(of: .ada) == ["offline"])

        try await tracking.unblockInChat(block)
        for (device, other) in [(devices[0], TestUser.grace), (devices[1], .ada)] {
          try await until("\(other.name) is there again") {
            Array(device.told(of: other).suffix(2)) == ["online", "read \(last)"]
          }
        }
      }
    }
  }
}
