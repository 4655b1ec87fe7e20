import Environment
import Identifiers
import MatchingConsumers
import MatchingOperations
import MatchingStore
import Postgres
import ProtobufC
import TandemEvents
import TestServices
import TestSupport
import Testing
import Timestamps

@testable import Events

/// Two consumers of identity's events that concern the same users, one of which waits for a row while the other comes.
@Suite("consumers of the same users", .timeLimit(.minutes(5)))
struct ConsumerLockTests {
  private static let (low, high) = (TestUser.one(1), TestUser.one(2))

  @Test("[C-10] B9: a batch of profiles and names, and one of blocks, lock the same users in one order")
  func profilesAndBlocks() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce([Self.low, Self.high])
      try await matching.meet(
        first: { try await matching.apply([.block(of: Self.high, by: Self.low)], by: .blocks(matching.operations)) },
        then: {
          let changed = ProfileChanged(
            userID: "\(Self.high.id)", gender: 1, level: 1, updateTime: (matching.clock.now + .seconds(1)).timestamp)
          let named = AccountNamed(userID: "\(Self.low.id)", username: "renamed")
          try await matching.apply(
            [.init(changed, matching.clock.now), .init(named, matching.clock.now)], by: .users(matching.operations))
        })
      #expect(try await matching.value("select count(*) from blocks") == "1")
      #expect(try await matching.value("select username from users where id = '\(Self.low.id)'") == "renamed")
      #expect(try await matching.value("select level <> 'EXPERT' from users where id = '\(Self.high.id)'") == "t")
    }
  }

  @Test("[C-10] B9: a block that comes again while the job of the first one runs waits for it without the users' rows")
  func blockedAgain() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce([Self.low, Self.high])
      let block = MadeEvent.block(of: Self.high, by: Self.low)
      // The job of the first block is due when the test says so.
      try await matching.own.repeatableTransaction { tx in
        try await matching.operations.scheduleParting([try Parting(try ReceivedEvent(block.event(at: 1)))], tx)
        try await tx.execute(PutOff())
      }
      #expect(try await matching.value("select count(*) from jobs where ready_at > '2099-01-01'") == "1")
      try await matching.meet(
        first: { try await matching.apply([block], by: .blocks(matching.operations)) },
        then: {
          try await matching.sql("update jobs set ready_at = due_at where kind = 'part_blocked_users'")
        })
      try await until("the job is done") {
        try await matching.value("select count(*) from jobs where kind = 'part_blocked_users'") == "0"
      }
      #expect(try await matching.value("select count(*) from blocks") == "1")
    }
  }
}

/// Puts the jobs that part users off.
private struct PutOff: Statement {
  typealias Row = Void
  static let sql = "update jobs set ready_at = '2100-01-01' where kind = 'part_blocked_users'"
}

/// An event as identity publishes it.
private struct MadeEvent: Sendable {
  let make: @Sendable (Int64) throws -> Event

  init<E: PublishedEvent>(_ message: E, _ time: Instant) {
    make = { id in
      Event(
        position: Position(transactionID: 1, id: id), topic: E.topic.name, key: message.eventKey, type: E.protobufName,
        payload: message.serialized(), occurTime: time.timestamp)
    }
  }

  static func block(of blocked: TestUser, by blocker: TestUser) -> MadeEvent {
    MadeEvent(
      UserBlocked(blockerUserID: "\(blocker.id)", blockedUserID: "\(blocked.id)"), RunningMatching.start)
  }

  func event(at id: Int64) throws -> Event { try make(id) }
}

extension RunningMatching {
  /// Applies events in one transaction, as a consumer does that receives them together.
  fileprivate func apply(_ made: [MadeEvent], by plan: EventSubscription) async throws {
    let events = try made.enumerated().map { try $1.event(at: Int64($0) + 1) }
    let application = EventApplication(
      CursorKey(producer: "identity", consumer: "test.\(plan.name)"), plan, database: own, clock: clock,
      logger: runtime.logger, limits: ParkingLimits())
    var size = BatchSize()
    try await application.apply(FollowResponse(events: events, position: events.last?.position), &size)
  }

  /// Begins one act after the other while a transaction holds the row of a user with a low id; lets go once two
  /// transactions wait.
  fileprivate func meet(
    first: @escaping @Sendable () async throws -> Void, then: @escaping @Sendable () async throws -> Void
  ) async throws {
    let gates = [Gate(), Gate()]
    let low = TestUser.one(1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await own.transaction { tx in
          try await tx.execute(LockUser(userID: low.id))
          for (number, gate) in gates.enumerated() {
            gate.open()
            try await until("\(number + 1) wait") { try await waiting() > number }
          }
        }
      }
      group.addTask {
        await gates[0].pass()
        try await first()
      }
      group.addTask {
        await gates[1].pass()
        try await then()
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
