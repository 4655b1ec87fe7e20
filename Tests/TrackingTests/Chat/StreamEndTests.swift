import ChatDomain
import HostileClients
import Identifiers
import ServiceRuntime
import Synchronization
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing

@testable import ChatHandlers
@testable import tracking

/// The real service, in which a token is the caller's id until it is revoked.
private struct RevokingTracking: TandemService {
  static let service = Tracking.service
  /// The tokens that are no longer valid.
  static let revoked = Mutex<Set<String>>([])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try Tracking.build(runtime, authenticator: RevocableTokens())
    served.follows = []
    return served
  }

  struct RevocableTokens: Authenticator {
    func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
      if revoked.withLock({ $0.contains(String(token)) }) {
        throw Status(.unauthenticated, reason: "TOKEN_REVOKED", "The access token's session has ended")
      }
      return Caller(subject: String(token))
    }
  }
}

@Suite("ends of the chat's streams", .timeLimit(.minutes(5)))
struct StreamEndTests {
  @Test(
    "[ID-7] a revoked token ends a stream, and its user is offline", arguments: [true, false])
  func revoked(inMetadata: Bool) async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      // Of another user in each case, because tokens are revoked for all tests.
      let user = inMetadata ? TestUser.ada : .grace
      try await RunningService.with(RevokingTracking.self, on: tracking.database, clock: tracking.clock) { service in
        let open = OpenConversation(conversationID: id.description)
        let call = FollowRequest(conversations: [open], accessToken: inMetadata ? "" : user.id.description)
        let options = inMetadata ? user.options : CallOptions(timeout: .seconds(60))
        let ended = try await refusal {
          try await ChatClient(service.client).follow(call, options) { events in
            for try await event in events {
              if case .opened = event.event { RevokingTracking.revoked.withLock { _ = $0.insert(user.id.description) } }
            }
          }
        }
        #expect(ended.code == .unauthenticated && ended.reason == "TOKEN_REVOKED")
        try await until("the user is offline") { try await tracking.value("select count(*) from chat_presence") == "0" }
      }
    }
  }

  @Test("[TR-31] [TR-32] who never reads is offline in the end, and the others receive everything in order")
  func neverRead() async throws {
    try await RunningTracking.with { tracking in
      let senders = [TestUser.ada, .alan, .one(1)]
      let id = try await tracking.conversation(of: senders + [.grace])
      let call = FollowRequest(
        conversations: [OpenConversation(conversationID: id.description)], accessToken: TestUser.grace.id.description)
      let hostile = try HostileConnections(1, to: tracking.service.port, from: 2, receiveBuffer: 8_192)
      hostile.add(
        HostileFrames.call(
          "tandem.chat.v1.Chat/Follow", stream: 1, payload: call.serialized(), timeout: 3_600_000_000_000))
      hostile.push(.never)
      try await until("Grace is online") { try await tracking.value("select count(*) from chat_presence") == "1" }
      try await tracking.connected(senders, to: id) { devices in
        // At most what users may send at once, which is more than systems and queues hold of a client that does not read.
        let (rounds, text) = (18, String(repeating: "\u{1F6B2}", count: 4_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for device in devices {
            group.addTask {
              for _ in 0..<rounds where devices[0].told(of: .grace).last != "offline" {
                for _ in 0..<50 { try await device.say(text, in: id) }
              }
            }
          }
          try await group.waitForAll()
        }
        try await until("Grace is offline") { devices[0].told(of: .grace).last == "offline" }
        let last = try await tracking.value("select last_sequence from chat_conversations")
        for device in devices {
          try await until("all messages are received") { device.messages(id).last.map { "\($0.sequence)" } == last }
          #expect(device.failure == nil)
          let numbers = device.messages(id).map(\.sequence)
          #expect(numbers == Array((numbers.first ?? 0)..<((numbers.first ?? 0) + Int64(numbers.count))))
        }
      }
      withExtendedLifetime(hostile) {}
    }
  }

  @Test("[TR-32] a client that does not read has a bounded number of events waiting, and then loses its stream")
  func unread() throws {
    let queue = EventQueue()
    for _ in 0..<2_000 { queue.put(ChatEvent()) }
    #expect(try queue.take().count == 2_000)
    for _ in 0..<2_001 { queue.put(ChatEvent()) }
    let refused = #expect(throws: Status.self) { try queue.take() }
    #expect(refused?.reason == "EVENTS_UNREAD" && refused?.code == .resourceExhausted)
  }
}
