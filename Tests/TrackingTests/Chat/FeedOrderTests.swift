import ChatDomain
import Environment
import Identifiers
import TTRPC
import TandemChat
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
        for number in [7, 5] as [Int64] { signals.send(.readMark(id, Someone.grace.id, number)) }
        signals.send(.typing(id, Someone.grace.id))
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
          for user in [Someone.alan, .grace] { signals.send(.typing(id, user.id)) }
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
      reader.reader.deliver(.readMark(ReadMark(userID: Someone.grace.id.description, sequence: number)))
    }
    #expect(reader.reader.goLive())
    let marks = try reader.queue.take().map(\.event)
    #expect(marks == [.readMark(ReadMark(userID: Someone.grace.id.description, sequence: 5_000))])
  }
}

/// A reader of a stream that still reads from the database, and the stream's queue.
private struct Reader {
  let queue = EventQueue()
  let reader: ConversationReader

  init() {
    reader = ConversationReader(
      of: ConversationID(Device.newID()), by: Someone.ada.id, kind: .group, from: 1, epoch: 1, at: .beginning,
      queue: queue)
  }

  static func message(_ number: Int64, of user: Someone) -> StoredMessage {
    StoredMessage(
      sequence: number, senderID: user.id, clientMessageID: nil, notice: nil, text: "\(number)", replyTo: nil,
      pictureID: nil, createdAt: Instant(microseconds: 0), editedAt: nil, deletedAt: nil, revision: 0, reactions: [])
  }
}

extension ChatEvent.Event {
  fileprivate static func typing(_ user: Someone) -> Self { .typingUserID(user.id.description) }
}
