import Environment
import Foundation
import Identifiers
import Jobs
import Postgres
import TestSupport
import Testing

@testable import jobs_probe

@Suite("Jobs of real processes", .ownThreads, .timeLimit(.minutes(10)))
struct ProcessTests {
  /// The seed of a run, and how often it kills: `make chaos` sets both.
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed = environment["TANDEM_CHAOS_SEED"].flatMap { UInt64($0) } ?? 4
  private static let kills = environment["TANDEM_CHAOS_KILLS"].flatMap { Int($0) } ?? 6

  @Test("kill -9 at any moment: of two replicas' jobs each takes effect once, and every delivery is made")
  func killed() async throws {
    try await Bench.with { bench in
      try await withFolder { folder in
        let chance = SeededRandomness(seed: Self.seed)
        var replicas = try (0..<2).map { _ in try ProbeProcess(on: bench.test, in: folder) }
        defer { for replica in replicas { replica.kill() } }
        var count = 0
        for _ in 0..<Self.kills {
          for replica in replicas { try await replica.becameReady() }
          let batch = 40
          try await Self.scheduleBatch(batch, from: count, bench)
          count += batch
          // Some of the batch is being done, some waits.
          let left = Int(chance.uint64() % UInt64(batch))
          try await until("only \(left) are left") { try await bench.waiting() <= left }
          let victim = Int(chance.uint64() % 2)
          replicas[victim].kill()
          replicas[victim] = try ProbeProcess(on: bench.test, in: folder)
        }
        try await until("all is done") { try await bench.waiting() == 0 }
        let keys = Set((0..<count).map(String.init))
        let recorded = try await bench.done
        #expect(recorded.count == count / 2, "seed \(Self.seed)")
        #expect(Set(recorded) == keys.filter { Int($0)?.isMultiple(of: 2) == true }, "seed \(Self.seed)")
        let delivered = try Self.delivered(folder)
        #expect(Set(delivered) == keys.subtracting(recorded), "seed \(Self.seed)")
        print("\(count) jobs, \(Self.kills) kills, \(delivered.count - Set(delivered).count) repeated deliveries")
      }
    }
  }

  /// Half of each kind, due within the next moments.
  private static func scheduleBatch(_ batch: Int, from first: Int, _ bench: Bench) async throws {
    let now = SystemClock().now
    try await bench.database.transaction { tx in
      for number in first..<first + batch {
        let kind: JobKind<String> = number.isMultiple(of: 2) ? .record : .deliver
        let due = now + .milliseconds(number - first)
        try await tx.schedule(Job(kind, "1", at: due, key: "\(number)"), with: bench.jobs)
      }
    }
  }

  private static func delivered(_ folder: String) throws -> [String] {
    try String(contentsOfFile: "\(folder)/deliveries", encoding: .utf8).split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
  }

  @Test("a process that was stopped beyond its lease changes nothing when it wakes")
  func stopped() async throws {
    try await Bench.with { bench in
      try await withFolder { folder in
        let first = try ProbeProcess(on: bench.test, in: folder)
        defer { first.kill() }
        try await first.becameReady()
        let recurrence = try #require(Recurrence(hour: 0, minute: 0, in: "UTC"))
        try await bench.schedule(Job(.deliver, "300", repeating: recurrence, key: "r"))
        try await bench.sql(
          "update jobs set due_at = now() - interval '1 day', ready_at = now(), repeat_day = current_date - 1")
        try await until("the first is at it") { (try? Self.delivered(folder)) == ["r"] }
        first.signal(SIGSTOP)

        let second = try ProbeProcess(on: bench.test, in: folder)
        defer { second.kill() }
        try await until("the second has taken it, for the lease has ended, and done it") {
          try await bench.value("select count(*) from jobs where lease_until is null and due_at > now()") == "1"
        }
        #expect(try Self.delivered(folder) == ["r", "r"])
        let row = "select due_at, ready_at, attempts, lease_until, fence, last_failure from jobs"
        let before = try await bench.sql(row)
        first.signal(SIGCONT)
        try await until("the first has noticed") { try first.lines(with: "changed or taken by another") == 1 }
        #expect(try await bench.sql(row) == before)
      }
    }
  }

  @Test("the clock of one replica is set forward and back: nothing is done twice, and nothing is lost")
  func clockSteps() async throws {
    try await Bench.with { bench in
      try await withFolder { folder in
        let clock = try FakeTime(in: folder)
        let replica = try ProbeProcess(on: bench.test, in: folder, environment: clock.environment)
        defer { replica.kill() }
        try await replica.becameReady()
        let now = SystemClock().now
        bench.clock.set(now)
        // Daily, for the first time in twenty hours or a little less.
        let minute = Int((now + .seconds(20 * 3_600)).wholeSeconds / 60 % 1_440)
        let recurrence = try #require(Recurrence(hour: minute / 60, minute: minute % 60, in: "UTC"))
        try await bench.schedule(Job(.record, "", repeating: recurrence, key: "daily"))
        try await bench.schedule(Job(.record, "", at: now + .seconds(3_600), key: "in an hour"))
        try await bench.schedule(Job(.record, "", at: now + .seconds(86_400 * 3), key: "in three days"))

        try clock.set(offset: "+2h")
        try await until("an hour has passed") { try await bench.count(of: "in an hour") == 1 }
        try clock.set(offset: "+26h")
        try await until("its time has come") { try await bench.count(of: "daily") == 1 }
        // Back: what is to come is far away again, what was done stays done.
        try clock.set(offset: "+0")
        try await bench.schedule(Job(.record, "", at: now, key: "look"))
        try await until("the replica has looked") { try await bench.count(of: "look") == 1 }
        #expect(try await bench.count(of: "daily") == 1)
        try clock.set(offset: "+26h")
        try await bench.schedule(Job(.record, "", at: now, key: "look again"))
        try await until("the replica has looked") { try await bench.count(of: "look again") == 1 }
        #expect(try await bench.count(of: "daily") == 1)
        try clock.set(offset: "+74h")
        try await until("three days have passed") { try await bench.count(of: "in three days") == 1 }
        try await until("its time has come again") { try await bench.count(of: "daily") == 2 }
        #expect(try await bench.value("select count(*) from jobs") == "1")
      }
    }
  }
}
