import Blocks
import Geography
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingOperations
import TrackingStore
import Usernames

/// Reads what a viewer is sent.
struct WatchReader {
  private var iterator: MessageStream<WatchResponse>.Iterator
  /// Changes that were received with others and not looked at yet.
  private var waiting: ArraySlice<MemberChange> = []

  init(_ responses: MessageStream<WatchResponse>) { iterator = responses.makeAsyncIterator() }

  mutating func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> WatchResponse.Content {
    let message = try #require(try await iterator.next(), "the stream ended", sourceLocation: sourceLocation)
    return try #require(message.content, "an empty message", sourceLocation: sourceLocation)
  }

  /// The next message, which is a snapshot.
  mutating func snapshot(sourceLocation: SourceLocation = #_sourceLocation) async throws -> GroupSnapshot {
    let content = try await next(sourceLocation: sourceLocation)
    guard case .snapshot(let snapshot) = content else {
      return try #require(nil as GroupSnapshot?, "no snapshot: \(content)", sourceLocation: sourceLocation)
    }
    return snapshot
  }

  /// The next change; what is sent before has to be changes too.
  mutating func change(sourceLocation: SourceLocation = #_sourceLocation) async throws -> MemberChange {
    if let change = waiting.popFirst() { return change }
    let content = try await next(sourceLocation: sourceLocation)
    guard case .changes(let changes) = content, !changes.changes.isEmpty else {
      return try #require(nil as MemberChange?, "no changes: \(content)", sourceLocation: sourceLocation)
    }
    waiting = changes.changes[...]
    return try await change(sourceLocation: sourceLocation)
  }

  /// The next message, which is an end.
  mutating func end(sourceLocation: SourceLocation = #_sourceLocation) async throws -> WatchEnd {
    try #require(waiting.isEmpty, "changes before the end: \(waiting)", sourceLocation: sourceLocation)
    let content = try await next(sourceLocation: sourceLocation)
    guard case .end(let end) = content else {
      return try #require(nil as WatchEnd?, "no end: \(content)", sourceLocation: sourceLocation)
    }
    return end
  }

  /// The status with which the stream is ended.
  mutating func failure(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Status {
    do { while let _ = try await iterator.next() {} } catch { return error }
    return try #require(nil as Status?, "the stream ended well", sourceLocation: sourceLocation)
  }
}

extension RunningTracking {
  /// Stores changes as the service does.
  var groupChanges: GroupChanges {
    GroupChanges(
      signals: ChangeSignals(live: runtime.live), partitions: Partitions(database: own), clock: clock)
  }

  /// Does what the service does, as for its consumers of events.
  var operations: TrackerOperations {
    TrackerOperations(
      events: runtime.events, live: runtime.live, partitions: Partitions(database: own),
      environment: runtime.environment, arrivalRadius: Tracker.arrivalRadius)
  }

  /// Moves a member to a place that the number tells.
  func move(_ user: TestUser, in group: GroupID, to number: Int) async throws {
    try await store([.moved(user, in: group, to: number, at: clock.now)])
  }

  func store(_ changes: [GroupChange]) async throws {
    try await own.repeatableTransaction { tx in try await groupChanges.store(changes, tx) }
  }

  /// Removes a member, as the consumer of identity's events does.
  func remove(_ user: TestUser, from group: GroupID) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(DeleteMembershipsOfUser(userID: user.id))
      try await groupChanges.store([GroupChange(.left, of: user.id, in: group, state: .inactive)], tx)
    }
  }

  /// Renames a user, as the consumer of identity's events does.
  func rename(_ user: TestUser, to name: String) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(NameUsers([Naming(user.id, name)]))
      try await operations.showNames(of: [user.id], tx)
    }
  }

  /// Stores a block, as the consumer of identity's events does.
  func block(_ block: Block) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(AddBlocks([block]))
      try await operations.showVisibility(between: [block], tx)
    }
  }

  /// Ends a block, as the consumer of identity's events does.
  func unblock(_ block: Block) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(RemoveBlocks([block]))
      try await operations.showVisibility(between: [block], tx)
    }
  }

  /// Opens a stream of `viewer` that watches groups, over a connection of its own.
  func watch<R: Sendable>(
    _ groups: [WatchedGroup], as viewer: TestUser,
    _ body: (RequestWriter<WatchRequest>, inout WatchReader) async throws -> R
  ) async throws -> R {
    let client = service.connected()
    let result: Result<R, any Error>
    do {
      result = .success(
        try await LocationsClient(client).watch(viewer.options) { requests, responses in
          var reader = WatchReader(responses)
          try await requests.send(WatchRequest(add: groups))
          return try await body(requests, &reader)
        })
    } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }
}

extension GroupChange {
  static func moved(_ user: TestUser, in group: GroupID, to number: Int, at time: Instant) -> GroupChange {
    let point = GeoPoint(latitude: Double(number % 1_000) / 100, longitude: Double(number / 1_000) / 100)
    return GroupChange(
      .position, of: user.id, in: group, state: .active, position: point.map { Fix($0, at: time, accuracy: 5) })
  }
}

extension WatchedGroup {
  init(_ group: GroupID, after: Int64? = nil) { self.init(groupID: group.description, after: after) }
}

extension MemberChange {
  /// The number that a member was moved to.
  var number: Int? {
    guard case .member(let member) = change, let position = member.position else { return nil }
    return Int((position.latitude * 100).rounded()) + 1_000 * Int((position.longitude * 100).rounded())
  }

  var removed: String? { if case .removedUserID(let id) = change { id } else { nil } }
}
