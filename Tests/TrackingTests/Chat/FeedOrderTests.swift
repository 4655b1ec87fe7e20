import ChatDomain
import ChatOperations
import Environment
import Identifiers
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing

@testable import ChatHandlers
@testable import TrackingStore

@Suite("order of the chat's events", .timeLimit(.minutes(5)))
struct FeedOrderTests {
  @Test("[TR-33] a read mark never goes back, in whatever order replicas tell of it")
  func marks() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        let signals = ChatSignals(live: tracking.runtime.live)
        for number in [7, 5] as [Int64] { signals.send(.readMark(id, TestUser.grace.id, number)) }
        signals.send(.typing(id, TestUser.grace.id))
        try await until("what was told last came") { devices[0].events.contains { $0.event == .typing(.grace) } }
        let marks = devices[0].events.compactMap {
          if case .readMark(let mark) = $0.event { mark.sequence } else { nil }
        }
        #expect(marks == [7])
      }
    }
  }

  @Test("[ID-43] typing of a user who is no member reaches no member")
  func strangers() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada], to: id) { devices in
        let signals = ChatSignals(live: tracking.runtime.live)
        try await until("that of a member came") {
          // Typing that a busy machine loses is not told again, and goes on.
          for user in [TestUser.alan, .grace] { signals.send(.typing(id, user.id)) }
          return devices[0].events.contains { $0.event == .typing(.grace) }
        }
        #expect(!devices[0].events.contains { $0.event == .typing(.alan) })
      }
    }
  }

  @Test("[TR-32] after a conversation is opened again nothing comes of what it was before")
  func openedAgain() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { for number in 0..<200 { try await devices[1].say("\(number)", in: id) } }
          for _ in 0..<40 { try await devices[0].open(id, after: Position()) }
          try await group.waitForAll()
        }
        try await devices[0].open(id, after: Position())
        let whole = Array(Int64(1)...202)
        try await until("all came") { devices[0].messages(id).map(\.sequence).suffix(202) == whole[...] }
        let parts = devices[0].events.split(omittingEmptySubsequences: false) {
          if case .opened = $0.event { true } else { false }
        }
        // At first it was opened for what happens from then on.
        for part in parts.dropFirst(2) {
          let numbers = part.compactMap {
            if case .message(let news) = $0.event { news.message?.sequence } else { nil }
          }
          #expect(numbers == Array(whole.prefix(numbers.count)))
        }
      }
    }
  }

  @Test(
    "[TR-31] [TR-33] 29 A12: devices that open a conversation at once beside a sender miss nothing of what is sent from then on"
  )
  func openedAtOnce() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      // At another replica, so that this one has the conversation open for the devices alone.
      try await RunningTracking.with(on: tracking.database, tracking.clock) { other in
        try await other.connected([.grace], to: id) { senders in
          try await tracking.connected(Array(repeating: .ada, count: 8), to: id) { devices in
            for _ in 0..<12 { try await Self.openAtOnce(id, devices, beside: senders[0]) }
          }
        }
      }
    }
  }

  private static func openAtOnce(_ id: ConversationID, _ devices: [Device], beside sender: Device) async throws {
    // With the last of them the replica forgets where the conversation was.
    for device in devices { _ = try await device.ask(.closeConversationID(id.description)) }
    let begin = devices.map(\.events.count)
    async let sent = sender.say(20, in: id)
    let opened = try await withThrowingTaskGroup(of: (Int, Int64).self) { group in
      for (number, device) in devices.enumerated() {
        group.addTask { (number, try await device.open(id).position?.sequence ?? 0) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let last = try await sent
    for (number, device) in devices.enumerated() {
      let first = try #require(opened[number]) + 1
      guard first <= last else { continue }
      try await until("device \(number) has \(first) to \(last)") {
        Array(device.messages(id, from: begin[number]).map(\.sequence)) == Array(first...last)
      }
    }
  }

  @Test(
    "[TR-31] [TR-33] 29 A12: a reader that begins after one that came later is told how far the feed is, and what it saw otherwise"
  )
  func lateBeginning() {
    var feed = ConversationFeed(number: 1)
    func found(_ sequence: Int64, _ revision: Int64, version: Int64, online: Bool, read: Int64) -> FoundConversation {
      let row = MembersOfConversation.Row(
        userID: TestUser.grace.id, firstSequence: 1, readSequence: read, isOnline: online, blockedIDs: [],
        lastSequence: sequence, lastRevision: revision, memberVersion: version, epoch: 1)
      return FoundConversation(row, [row])
    }
    let head = ChatPosition(sequence: 11, revision: 2)

    #expect(feed.begin(2, found(11, 2, version: 4, online: true, read: 5)) == head && feed.work.isEmpty)
    #expect(feed.begin(1, found(10, 2, version: 4, online: false, read: 3)) == head && feed.work == .presence)
    #expect(feed.toldOtherwise == [1: .init(presence: [TestUser.grace.id], readMarks: [TestUser.grace.id])])
    #expect(feed.begin(3, found(11, 3, version: 5, online: true, read: 5)) == head)
    #expect(feed.work == [.messages, .members, .presence] && feed.toldOtherwise[3] == nil)
    #expect(feed.begin(4, found(10, 2, version: 3, online: true, read: 5)) == nil, "members have changed since")
  }

  @Test("typing is over with a message of the user, also for a client that still gets what it missed")
  func typing() throws {
    let reader = Reader()
    reader.reader.deliver(.typing(.grace))
    reader.reader.deliver([Reader.message(1, of: .grace)], after: .beginning, isPartial: false)
    #expect(reader.reader.goLive())
    let events = try reader.queue.take().map(\.event)
    #expect(events.count == 1 && events.allSatisfy { if case .message = $0 { true } else { false } })
  }

  @Test("what happens while a client gets what it missed takes a bounded place")
  func bounded() throws {
    let reader = Reader()
    for number in 1...5_000 as ClosedRange<Int64> {
      reader.reader.deliver(.readMark(ReadMark(userID: TestUser.grace.id.description, sequence: number)))
    }
    #expect(reader.reader.goLive())
    let marks = try reader.queue.take().map(\.event)
    #expect(marks == [.readMark(ReadMark(userID: TestUser.grace.id.description, sequence: 5_000))])
  }
}

/// A reader of a stream that still reads from the database, and the stream's queue.
private struct Reader {
  let queue = EventQueue()
  let reader: ConversationReader

  init() {
    reader = ConversationReader(
      of: ConversationID(Device.newID()), by: TestUser.ada.id, kind: .group, from: 1, epoch: 1, at: .beginning,
      queue: queue)
  }

  static func message(_ number: Int64, of user: TestUser) -> StoredMessage {
    StoredMessage(
      sequence: number, senderID: user.id, clientMessageID: nil, notice: nil, text: "\(number)", replyTo: nil,
      pictureID: nil, createdAt: Instant(microseconds: 0), editedAt: nil, deletedAt: nil, revision: 0, reactions: [])
  }
}

extension ChatEvent.Event {
  fileprivate static func typing(_ user: TestUser) -> Self { .typingUserID(user.id.description) }
}

extension Device {
  /// Sends so many messages, and returns the number of the last.
  fileprivate func say(_ count: Int, in id: ConversationID) async throws -> Int64 {
    var last: Int64 = 0
    for number in 0..<count { last = try await say("\(number)", in: id).sequence }
    return last
  }

  /// The messages of a conversation among the events from one on.
  fileprivate func messages(_ id: ConversationID, from first: Int) -> [Message] {
    events[first...].compactMap { if case .message(let news) = $0.event { news.message } else { nil } }
  }
}
