import Identifiers
import Postgres
import ProtobufC
import TTRPC
import TandemEvents
import TandemIdentity
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingConsumers

@testable import Events

@Suite("groups that are deleted", .timeLimit(.minutes(5)))
struct DeletedGroupTests {
  @Test("[ID-42] of a deleted group the name goes at once, and the rest once nothing of it is stored")
  func deleted() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      try await RunningTracking.with(on: database, clock) { tracking in
        let group = try await tracking.group(1, of: [.ada], named: "Secret")
        try await tracking.group(2, of: [.ada], named: "Kept")
        try await tracking.remove(.ada, from: group)
        try await tracking.group(2, of: [.ada], named: "Kept")
        try await tracking.apply(
          GroupDeleted(groupID: group.description, deleteTime: clock.now.timestamp))
        #expect(try await tracking.sql("select name from groups order by id") == [[""], ["Kept"]])
      }
      for (days, left) in [(1, "2"), (3, "1")] {
        clock.set(ManualClock().now + .seconds(days * 86_400))
        try await RunningTracking.with(on: database, clock) { tracking in
          try await until("\(left) are left") { try await tracking.value("select count(*) from groups") == left }
        }
      }
      try await RunningTracking.with(on: database, clock) { tracking in
        let name = try await tracking.value("select name from groups")
        #expect(name == "Kept")
      }
    }
  }

  @Test("[ID-42] groups that a resync misses are deleted, and one that is reported later is there")
  func resynced() async throws {
    try await RunningTracking.with { tracking in
      let gone = try await tracking.group(1, of: [.ada], named: "Secret")
      let kept = try await tracking.group(2, of: [.ada, .grace], named: "Kept")
      let subscription = EventSubscription.groups(tracking.operations)
      let identity = IdentityWithGroup(memberships: [
        Membership(
          groupID: kept.description, groupName: "Kept", userID: TestUser.ada.id.description,
          membershipID: "\(Device.newID())", joinTime: tracking.clock.now.timestamp)
      ])
      let store = try await subscription.resync?(ResyncSource(producer: identity, database: tracking.own))
      try await tracking.own.repeatableTransaction { tx in try await store?(tx) }
      #expect(try await tracking.sql("select name from groups order by id") == [[""], ["Kept"]])
      #expect(try await tracking.sql("select name from groups where deleted_at is not null") == [[""]])
      try await tracking.apply(GroupCreated(groupID: gone.description, name: "Back"))
      #expect(try await tracking.sql("select id from groups where deleted_at is not null") == [])
    }
  }

  @Test("[TR-12] B10: who left and joined again meanwhile, which a resync finds out, goes on watching the group")
  func rejoined() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace], named: "Home")
      let subscription = EventSubscription.groups(tracking.operations)
      let kept = try #require(
        try await tracking.value("select membership_id from memberships where user_id = '\(TestUser.grace.id)'"))
      let identity = IdentityWithGroup(
        memberships: [(TestUser.ada, "\(Device.newID())"), (.grace, kept)].map { user, membership in
          Membership(
            groupID: home.description, groupName: "Home", userID: user.id.description, membershipID: membership,
            joinTime: tracking.clock.now.timestamp)
        })
      try await tracking.watch([WatchedGroup(home)], as: .ada) { _, reader in
        _ = try await reader.snapshot()
        let store = try await subscription.resync?(ResyncSource(producer: identity, database: tracking.own))
        try await tracking.own.repeatableTransaction { tx in try await store?(tx) }
        try await tracking.move(.grace, in: home, to: 9)
        // Changes, or a snapshot with them; and no end.
        while true {
          switch try await reader.next() {
          case .changes(let changes):
            if changes.changes.contains(where: { $0.number == 9 }) { return }
          case .snapshot, .resumed: continue
          case let other:
            Issue.record("\(other)")
            return
          }
        }
      }
    }
  }
}

extension RunningTracking {
  /// Does what the consumer of identity's groups does with an event.
  fileprivate func apply<E: PublishedEvent>(_ event: E) async throws {
    let handlers = EventSubscription.groups(operations).handlers.filter { $0.type == E.protobufName }
    try #require(!handlers.isEmpty, "\(E.protobufName) is not followed")
    let received = Event(type: E.protobufName, payload: event.serialized(), occurTime: clock.now.timestamp)
    try await own.repeatableTransaction { tx in
      for handler in handlers { try await handler.apply([received], tx) }
    }
  }
}

/// What identity answers when it is asked for all memberships; a journey test runs the real one.
private struct IdentityWithGroup: RPCChannel {
  let memberships: [Membership]

  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    guard let response = ListMembershipsResponse(memberships: memberships) as? Response else {
      throw Status.unavailable("not asked")
    }
    return response
  }

  func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result { throw Status.unavailable("not asked") }
}
