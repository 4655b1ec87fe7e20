import Environment
import Identifiers
import Postgres
import ProtobufC
import TandemEvents
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingConsumers
import TrackingStore

@testable import Events

/// Two consumers of identity's events that concern the same users, one of which waits for a row while the other comes.
@Suite("consumers of the same users", .timeLimit(.minutes(5)))
struct ConsumerLockTests {
  private static let (low, middle, high) = (TestUser.one(1), TestUser.one(2), TestUser.one(3))

  @Test("[C-10] B9: a batch of names, and one of blocks that begin and end, lock the same users in one order")
  func namesAndBlocks() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.group(of: [Self.low, Self.middle, Self.high])
      try await tracking.meet(
        at: "users", of: Self.low,
        first: {
          try await tracking.apply(
            [Self.low, Self.middle].map { MadeEvent(AccountNamed(userID: "\($0.id)", username: "renamed\($0.name)")) },
            by: .users(tracking.operations))
        },
        then: {
          let (blocked, unblocked) = (
            UserBlocked(blockerUserID: "\(Self.middle.id)", blockedUserID: "\(Self.high.id)"),
            UserUnblocked(blockerUserID: "\(Self.middle.id)", blockedUserID: "\(Self.low.id)")
          )
          try await tracking.apply([MadeEvent(blocked), MadeEvent(unblocked)], by: .blocks(tracking.operations))
        })
      #expect(try await tracking.value("select count(*) from users where username like 'renamed%'") == "2")
      #expect(try await tracking.value("select count(*) from blocks") == "1")
    }
  }

  @Test("[C-9] B9: a new membership and an account deletion lock the user before the tracker, and never deadlock")
  func membershipsAndDeletions() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [Self.low])
      let club = try await tracking.group(2, of: [Self.high])
      try await tracking.share(with: [home], as: Self.low)
      try await tracking.meet(
        at: "trackers", of: Self.low,
        first: {
          let added = GroupMemberAdded(
            groupID: "\(club)", userID: "\(Self.low.id)", membershipID: "\(Device.newID())",
            addTime: tracking.clock.now.timestamp)
          try await tracking.apply([MadeEvent(added)], by: .groups(tracking.operations))
        },
        then: {
          let deleted = AccountDeleted(userID: "\(Self.low.id)", deleteTime: tracking.clock.now.timestamp)
          try await tracking.apply([MadeEvent(deleted)], by: .users(tracking.operations))
        })
      #expect(try await tracking.value("select deleted from users where id = '\(Self.low.id)'") == "t")
      #expect(try await tracking.value("select count(*) from memberships where user_id = '\(Self.low.id)'") == "0")
    }
  }
}

/// An event as identity publishes it.
private struct MadeEvent: Sendable {
  let make: @Sendable (Int64, Instant) throws -> Event

  init<E: PublishedEvent>(_ message: E) {
    make = { id, time in
      Event(
        position: Position(transactionID: 1, id: id), topic: E.topic.name, key: message.eventKey, type: E.protobufName,
        payload: message.serialized(), occurTime: time.timestamp)
    }
  }
}

extension RunningTracking {
  /// Applies events in one transaction, as a consumer does that receives them together.
  fileprivate func apply(_ made: [MadeEvent], by plan: EventSubscription) async throws {
    let events = try made.enumerated().map { try $1.make(Int64($0) + 1, clock.now) }
    let application = EventApplication(
      CursorKey(producer: "identity", consumer: "test.\(plan.name)"), plan, database: own, clock: clock,
      logger: runtime.logger, limits: ParkingLimits())
    var size = BatchSize()
    try await application.apply(FollowResponse(events: events, position: events.last?.position), &size)
  }

  /// Begins one act after the other while a transaction holds a row of a user; lets go once both wait.
  fileprivate func meet(
    at table: String, of user: TestUser, first: @escaping @Sendable () async throws -> Void,
    then: @escaping @Sendable () async throws -> Void
  ) async throws {
    let gates = [Gate(), Gate()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await own.transaction { tx in
          try await tx.execute(HoldRow(table: table, id: user.id.uuid))
          for (number, gate) in gates.enumerated() {
            gate.open()
            try await until("\(number + 1) wait") { try await waiting() > number }
          }
        }
      }
      for (gate, act) in zip(gates, [first, then]) {
        group.addTask {
          await gate.pass()
          try await act()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
    #expect(try await database.loggedDeadlocks() ?? [] == [])
  }

  /// How many transactions wait for a lock.
  private func waiting() async throws -> Int {
    let count = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return Int(try await value(count) ?? "") ?? 0
  }
}

/// Locks a row of a user until the transaction ends.
private struct HoldRow: Statement {
  typealias Row = Void
  static let sql = """
    with one as (update users set username = username where id = $1 and $2 = 'users')
    update trackers set check_at = check_at where user_id = $1 and $2 = 'trackers'
    """
  let table: String
  let id: UUID7

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(table)
  }
}
