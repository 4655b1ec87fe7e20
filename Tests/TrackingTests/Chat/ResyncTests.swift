import Blocks
import ChatConsumers
import ChatDomain
import Identifiers
import ProtobufC
import TTRPC
import TandemChat
import TandemIdentity
import TestServices
import TestSupport
import Testing
import TrackingConsumers

@testable import Events

@Suite("what the chat learns late", .timeLimit(.minutes(5)))
struct ChatResyncTests {
  @Test("[C-10] a block that is learned by a resync ends what is open, and its end opens the conversation again")
  func blocks() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.direct(.ada, with: .grace)
      try await tracking.connected([.ada, .grace], to: id) { devices in
        try await tracking.resyncBlocks([(.grace, .ada)])
        for device in devices {
          try await until("it is closed") {
            device.events.contains { $0.event == .closed(Closed(reason: .notAMember)) }
          }
        }
        try await tracking.resyncBlocks([])
        for device in devices { try await device.open(id) }
      }
    }
  }

  @Test("[C-10] blocks that a resync finds exchanged hide one member and show the other in their group")
  func blocksInGroup() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace, .alan])
      try await tracking.connected([.ada, .grace, .alan], to: id) { devices in
        try await tracking.resyncBlocks([(.ada, .grace)])
        try await until("one is hidden") {
          devices[2].told(of: .ada).isEmpty && devices[1].told(of: .ada) == ["offline"]
        }
        try await tracking.resyncBlocks([(.ada, .alan)])
        try await until("the other is") {
          devices[2].told(of: .ada) == ["offline"] && devices[1].told(of: .ada).prefix(2) == ["offline", "online"]
        }
      }
    }
  }

  @Test("[TR-30] groups from before there was a chat have conversations once the service runs")
  func groupsBefore() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      #expect(try await tracking.value("select count(*) from chat_conversations") == "0")
      try await RunningTracking.with(on: tracking.database, tracking.clock) { later in
        let id = ConversationID(group.uuid)
        try await until("it has begun") {
          try await later.value("select count(*) from chat_members where conversation_id = '\(id)'") == "2"
        }
        #expect(try await later.say("hello", in: id, as: .grace) == 3)
        #expect(
          try await later.history(id, as: .ada).messages.map(\.text).suffix(2) == ["joined the group", "hello"])
      }
    }
  }
}

extension RunningTracking {
  /// Does what the consumer of identity's blocks does after it missed some.
  fileprivate func resyncBlocks(_ blocks: [(TestUser, TestUser)]) async throws {
    let subscription = EventSubscription.blocks(operations).closingConversations(chatOperations)
    let channel = IdentityWithBlocks(
      blocks: blocks.map {
        TandemIdentity.Block(blockerUserID: $0.0.id.description, blockedUserID: $0.1.id.description)
      })
    let store = try await subscription.resync?(ResyncSource(producer: channel, database: own))
    try await own.repeatableTransaction { tx in try await store?(tx) }
  }
}

/// What identity answers when it is asked for all blocks; a journey test runs the real one.
private struct IdentityWithBlocks: RPCChannel {
  let blocks: [TandemIdentity.Block]

  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    guard let response = ListBlocksResponse(blocks: blocks) as? Response else { throw Status.unavailable("not asked") }
    return response
  }

  func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result { throw Status.unavailable("not asked") }
}
