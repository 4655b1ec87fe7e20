import ChatDomain
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
      let user = inMetadata ? Someone.ada : .grace
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
