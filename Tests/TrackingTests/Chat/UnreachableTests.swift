import ChatDomain
import Identifiers
import TTRPC
import TandemChat
import TandemEvents
import TestServices
import TestSupport
import Testing

@testable import ChatHandlers
@testable import TrackingStore

@Suite("members who turn out to have been unreachable", .timeLimit(.minutes(5)))
struct UnreachableTests {
  /// Who was notified of messages, in order.
  private static func notified(_ tracking: RunningTracking) async throws -> [[String]] {
    try await tracking.told(NotificationRequested.self).map(\.recipientIds)
  }

  /// Returns when the upkeep has looked at everything that was due.
  private static func settled(_ tracking: RunningTracking) async throws {
    try await until("nothing is due") {
      try await tracking.value(
        """
        select (select count(*) from chat_conversations where notice_due_at is not null)
          + (select count(*) from chat_members where notice_due_at is not null)
        """) == "0"
    }
  }

  @Test("[TR-35] B3: who was silently gone is told once of what came meanwhile, and not of what came before")
  func silent() async throws {
    try await RunningTracking.with(["--chat-silence", "3s"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan])
      try await tracking.connected([.grace], to: id) { devices in
        tracking.clock.advance(by: .seconds(20))
        // A client that is there, and says so.
        try await tracking.connected([.ada], to: id) { others in
          try await others[0].say("hello", in: id)
          tracking.clock.advance(by: .seconds(6))
          try await Self.settled(tracking)
          // Alan is offline, and Grace seems to be online.
          #expect(try await Self.notified(tracking) == [[TestUser.alan.id.description]])
          try await until("Grace is offline") {
            try await others[0].send(nil)
            return try await tracking.value("select count(*) from chat_presence") == "1"
          }
          #expect(devices[0].failure?.reason == "CLIENT_SILENT")
          tracking.clock.advance(by: .seconds(6))
          try await until("she is told") { try await Self.notified(tracking).count == 2 }
          #expect(try await Self.notified(tracking).last == [TestUser.grace.id.description])
          try await others[0].say("more", in: id)
          tracking.clock.advance(by: .seconds(6))
          try await Self.settled(tracking)
          #expect(try await Self.notified(tracking).count == 2, "once")
        }
      }
    }
  }

  @Test("[TR-35] who leaves by itself is told of nothing that was sent while it was there")
  func clean() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        try await tracking.connected([.grace], to: id) { others in
          try await devices[0].say("hello", in: id)
          try await until("it came") { others[0].texts(id) == ["hello"] }
          tracking.clock.advance(by: .seconds(30))
        }
        try await until("she is offline") { try await tracking.value("select count(*) from chat_presence") == "1" }
        tracking.clock.advance(by: .seconds(30))
        try await Self.settled(tracking)
        #expect(try await Self.notified(tracking) == [])
        try await devices[0].say("more", in: id)
        tracking.clock.advance(by: .seconds(6))
        try await until("she is told of that") { try await Self.notified(tracking).count == 1 }
      }
    }
  }

  @Test("[TR-35] B3: what came after a replica crashed is told once its lease has ended, unless its user is back")
  func crashed() async throws {
    try await RunningTracking.with(["--chat-lease", "6s"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan])
      let replica = "01900000-0000-7000-8000-00000000abcd"
      // Two users at a replica that is gone, but whose lease runs.
      try await tracking.sql(
        """
        insert into chat_replicas (id, expires_at, renewed_at)
        values ('\(replica)', now() + interval '1 hour', timestamptz '\(tracking.clock.now)');
        insert into chat_presence values ('\(id)', '\(TestUser.grace.id)', '\(replica)'), ('\(id)', '\(TestUser.alan.id)', '\(replica)')
        """)
      tracking.clock.advance(by: .seconds(4))
      try await tracking.connected([.ada], to: id) { devices in
        try await devices[0].say("hello", in: id)
        tracking.clock.advance(by: .seconds(6))
        try await Self.settled(tracking)
        #expect(try await Self.notified(tracking) == [])
        try await tracking.sql("update chat_replicas set expires_at = now() where id = '\(replica)'")
        try await until("they are offline") { try await tracking.value("select count(*) from chat_presence") == "1" }
        try await tracking.connected([.alan], to: id) { _ in
          tracking.clock.advance(by: .seconds(6))
          try await until("she is told") { try await Self.notified(tracking).count == 1 }
          try await Self.settled(tracking)
          #expect(try await Self.notified(tracking) == [[TestUser.grace.id.description]])
        }
      }
    }
  }

  @Test("[TR-35] B3: where 64 notices meet a return, each absence is told of once at most, and none is lost")
  func meeting() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let replica = try #require(ReplicaID("01900000-0000-7000-8000-00000000abcd"))
      try await tracking.sql("insert into chat_replicas values ('\(replica)', now() + interval '1 hour', now())")
      _ = try await tracking.say("hello", in: id, as: .ada)
      for round in 0..<64 {
        try await tracking.makeDue(id, isNotified: false)
        async let taken = tracking.takeNotices()
        async let back = tracking.own.write(
          StorePresence(conversationIDs: [id], userIDs: [TestUser.grace.id], replicaID: replica))
        let (told, stored) = try await (taken, back)
        #expect(told.count <= 1 && stored == [id], "round \(round)")
        // She goes again without having read it.
        try await tracking.makeDue(id)
        #expect(try await tracking.takeNotices() == [TestUser.grace.id], "round \(round): a later absence")
        try await tracking.makeDue(id)
        #expect(try await tracking.takeNotices() == [], "round \(round): again")
      }
    }
  }

  @Test("[TR-31] B3: a client of Follow that calls nothing is disconnected, and one that calls something is not")
  func follow() async throws {
    try await RunningTracking.with(["--chat-silence", "2s"]) { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let call = FollowRequest(conversations: [OpenConversation(conversationID: id.description)])
      let refused = try await refusal {
        try await tracking.chat.follow(call, TestUser.ada.options) { events in for try await _ in events {} }
      }
      #expect(refused.code == .deadlineExceeded && refused.reason == "CLIENT_SILENT")
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          try await tracking.chat.follow(call, TestUser.grace.options) { events in for try await _ in events {} }
        }
        let start = ContinuousClock.now
        try await until("a longer time has passed") {
          _ = try await tracking.chat.getConversation(
            GetConversationRequest(conversationID: id.description), TestUser.grace.options)
          return ContinuousClock.now - start > .seconds(5)
        }
        #expect(try await tracking.value("select count(*) from chat_presence") == "1")
        tasks.cancelAll()
        while let _ = await tasks.nextResult() {}
      }
    }
  }
}

extension RunningTracking {
  /// Has members of a conversation who are offline be notified in an hour, when the service itself has not come to it.
  fileprivate func makeDue(_ id: ConversationID, isNotified: Bool? = nil) async throws {
    let changed = isNotified.map { ", is_notified = \($0)" } ?? ""
    try await sql(
      """
      delete from chat_presence where user_id = '\(TestUser.grace.id)';
      update chat_members set notice_due_at = null, reached_sequence = 0\(changed)
        where user_id = '\(TestUser.grace.id)';
      update chat_conversations set notice_due_at = timestamptz '\(clock.now + .seconds(3_600))' where id = '\(id)'
      """)
  }

  /// Notifies the members who are due by then, as the upkeep does; returns them.
  fileprivate func takeNotices() async throws -> [UserID] {
    try await own.repeatableTransaction { tx in
      let due = try await tx.rows(DueChatNotices(now: clock.now + .seconds(7_200), limit: 10))
      let (_, members) = try await tx.rows(
        HoldMembersToNotify(conversationIDs: due), TakeChatNotices(conversationIDs: due))
      return members.map(\.userID)
    }
  }
}

@Suite("a reader that is ahead of its replica's feed", .timeLimit(.minutes(5)))
struct FeedAheadTests {
  private static func deleted(_ number: Int64, revision: Int64) -> StoredMessage {
    StoredMessage(
      sequence: number, senderID: TestUser.grace.id, clientMessageID: nil, notice: nil, text: "", replyTo: nil,
      pictureID: nil, createdAt: Instant(microseconds: 0), editedAt: nil, deletedAt: Instant(microseconds: 0),
      revision: revision, reactions: [])
  }

  @Test(
    "[TR-33] T-1: a reader that is past some messages gets their changes in the order of the revisions, of several pages too"
  )
  func order() throws {
    let queue = EventQueue()
    let reader = ConversationReader(
      of: ConversationID(Device.newID()), by: TestUser.ada.id, kind: .group, from: 1, epoch: 1,
      at: ChatPosition(sequence: 10, revision: 0), queue: queue)
    #expect(reader.goLive())
    // Deleted in reverse, and read by the feed in the order of their numbers.
    reader.deliver((1...5).map { Self.deleted($0, revision: 11 - $0) }, after: .beginning, isPartial: true)
    #expect(try queue.take().isEmpty)
    reader.deliver(
      (6...11).map { Self.deleted($0, revision: max(0, 11 - $0)) }, after: ChatPosition(sequence: 5, revision: 10),
      isPartial: false)
    let events = try queue.take().compactMap { if case .message(let event) = $0.event { event } else { nil } }
    #expect(events.compactMap(\.message?.sequence) == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11])
    #expect(events.compactMap(\.position?.revision) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])
  }

  @Test(
    "[TR-33] T-1: of 10 senders who send and delete in reverse no deletion is missed by 10 readers who are cut and resume"
  )
  func cutReaders() async throws {
    try await RunningTracking.with { tracking in
      let senders = (0..<10).map { TestUser.one($0) }
      let readers = (10..<20).map { TestUser.one($0) }
      let id = try await tracking.conversation(of: senders + readers)
      try await withThrowingTaskGroup(of: (Int, [Int64: Bool])?.self) { tasks in
        for (place, reader) in readers.enumerated() {
          tasks.addTask {
            var known: [Int64: Bool] = [:]
            var position = TandemChat.Position()
            while true {
              let start = position
              let device = try await tracking.connected(reader) { device in
                try await device.open(id, after: start)
                try await until("some came") {
                  device.texts(id).contains("over") || device.messages(id).count >= 7 + place
                }
                return device
              }
              for message in device.messages(id) { known[message.sequence] = message.deleteTime != nil }
              position = device.position ?? position
              // What comes last.
              if device.texts(id).contains("over") { return (place, known) }
            }
          }
        }
        tasks.addTask {
          try await withThrowingTaskGroup(of: Void.self) { sending in
            for sender in senders {
              sending.addTask {
                try await tracking.connected([sender], to: id) { devices in
                  var sent: [Int64] = []
                  for number in 0..<12 { sent.append(try await devices[0].say("\(number)", in: id).sequence) }
                  for sequence in sent.reversed() {
                    _ = try await tracking.chat.deleteMessage(
                      DeleteMessageRequest(conversationID: id.description, sequence: sequence), sender.options)
                  }
                }
              }
            }
            try await sending.waitForAll()
          }
          _ = try await tracking.say("over", in: id, as: senders[0])
          return nil
        }
        let stored = {
          try await tracking.sql("select sequence from chat_messages where deleted_at is not null order by sequence")
        }
        for try await case let (place, known)? in tasks {
          let deleted = try await stored().compactMap { $0.first ?? nil }.compactMap { Int64($0) }
          #expect(deleted.count == 120)
          #expect(deleted.filter { known[$0] != true } == [], "reader \(place)")
        }
      }
    }
  }
}
