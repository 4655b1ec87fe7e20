import Environment
import Foundation
import Identifiers
import Postgres
import TandemEvents
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingStore

/// Timers of two processes of tracking on one database, of which one is killed while it works on them.
///
/// They become due by the clock of the machine: users set out two hours before the processes begin to serve.
@Suite("timers and killed replicas", .ownThreads, .timeLimit(.minutes(5)))
struct KilledTimerTests {
  private static let users = 60

  @Test(
    "[TR-9] [TR-10] promised times and silence are noticed once, though the replica that would notice them dies",
    arguments: ["LISTEN/NOTIFY", "NATS"])
  func killed(_ bus: String) async throws {
    let nats = bus == "NATS" ? try await NATSProcess.start() : nil
    let settings = nats.map { ["--bus-url", "nats://\($0.address)"] } ?? []
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let groups = Gathered<GroupID>()
      try await RunningTracking.with(on: database, ManualClock(SystemClock().now - .seconds(7_200))) { tracking in
        for group in try await tracking.manyOnJourneys(Self.users) { groups.add(group) }
      }
      let group = try #require(groups.all.first)

      // The promised times have passed when the first one begins to serve.
      let second = try await Self.afterDeath(of: { try TrackingReplica(database, settings) }, database, settings, group)
      try await until("all are late") { try await Self.travellers(withWarnings: 4, database) == Self.users }
      #expect(try await Self.counts(database) == ["journeyStarted": Self.users, "notArrived": Self.users])

      let third = try await Self.afterDeath(
        of: {
          try await database.sql("update uptime set serving_since = now() - interval '10 minutes'", in: "tracking")
          try await database.sql("update trackers set check_at = now()", in: "tracking")
          return second
        }, database, settings, group)
      try await until("all are offline") { try await Self.travellers(withWarnings: 5, database) == Self.users }
      try await Self.looksAgain(database)
      #expect(
        try await Self.counts(database) == [
          "journeyStarted": Self.users, "notArrived": Self.users, "wentOffline": Self.users,
        ])
      #expect(try await database.value("select max(sequence) from groups", in: "tracking") == "3")
      third.kill()
    }
    nats?.stop()
  }

  @Test("[TR-10] a replica that looks seldom does not count its own pauses as times in which no position could arrive")
  func seldomLooks() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let replica = try TrackingReplica(database, [], lookInterval: "30s")
      let servingSince = try await eventually("the replica serves") {
        try await database.value("select serving_since::text from uptime", in: "tracking")
      }
      try await Self.looksAgain(database)
      #expect(try await database.value("select serving_since::text from uptime", in: "tracking") == servingSince)
      replica.kill()
    }
  }

  /// Kills a replica within the transaction in which it notices what is due, while another one is there; returns that one.
  ///
  /// - Parameter noticing: makes something due, and returns the only replica that runs.
  private static func afterDeath(
    of noticing: @Sendable () async throws -> TrackingReplica, _ database: TestDatabase, _ settings: [String],
    _ group: GroupID
  ) async throws -> TrackingReplica {
    let replicas = Gathered<TrackingReplica>()
    try await database.opened(as: "tracking") { own in
      // What is noticed is stored after its group is locked, so the replica waits with all users' rows.
      try await own.transaction { tx in
        _ = try await tx.rows(LockGroups(groupIDs: [group]))
        let first = try await noticing()
        try await until("the replica is within the transaction") {
          try await database.value(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
            == "1"
        }
        replicas.add(try TrackingReplica(database, settings))
        try await looksAgain(database)
        first.kill()
      }
    }
    return try #require(replicas.all.first)
  }

  /// Returns when replicas have noted four times that positions can arrive: before each look for due timers, and each second.
  private static func looksAgain(_ database: TestDatabase) async throws {
    for _ in 0..<4 {
      let before = try await database.value("select seen_at::text from uptime", in: "tracking")
      try await until("a replica looks") {
        try await database.value("select seen_at::text from uptime", in: "tracking") != before
      }
    }
  }

  private static func travellers(withWarnings warnings: Int, _ database: TestDatabase) async throws -> Int? {
    try await database.value("select count(*) from memberships where warnings = \(warnings)", in: "tracking")
      .flatMap { Int($0) }
  }

  /// How many notifications of each kind there are.
  private static func counts(_ database: TestDatabase) async throws -> [String: Int] {
    let rows = try await database.sql(
      "select encode(payload, 'hex') from events where type = '\(NotificationRequested.protobufName)'", in: "tracking")
    let told = try rows.compactMap { $0.first ?? nil }.map {
      try NotificationRequested(serialized: Hexadecimal.bytes($0))
    }
    return Dictionary(told.map { ($0.word, 1) }, uniquingKeysWith: +)
  }
}

/// A process of tracking without other services, for what it does without being called.
private final class TrackingReplica: Sendable {
  private let process: Process

  init(_ database: TestDatabase, _ settings: [String], lookInterval: String = "20ms") throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("tracking")
    process.arguments =
      [
        "--plaintext", "--listen", "127.0.0.1:\(try FreePort.take())", "--database-url", database.url(of: "tracking"),
        "--seal-key", RunningService.sealKey, "--log-level", "critical", "--look-interval", lookInterval,
        // Timers need no other service: none listens there.
        "--identity-address", "127.0.0.1:1",
      ] + settings
    try Children.start { try process.run() }
  }

  deinit { kill() }

  /// Ends it as by `kill -9`.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
