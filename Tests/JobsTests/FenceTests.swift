import Environment
import Identifiers
import Jobs
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

@testable import jobs_probe

@Suite("Whose a job is", .timeLimit(.minutes(5)))
struct FenceTests {
  /// Lets the leases end, which the database's clock decides.
  private func endLeases(_ bench: Bench) async throws {
    try await bench.sql("update jobs set lease_until = now() - interval '1 second' where lease_until is not null")
  }

  /// As another replica.
  private func other(_ bench: Bench, _ handlers: [JobHandler]) -> JobWorker {
    JobWorker(
      handlers, jobs: Jobs(environment: bench.jobs.environment, service: "probe"), database: bench.database,
      logger: Bench.logger)
  }

  @Test("while a lease lasts nobody else takes the job, and a clock that runs ahead makes no difference")
  func leased() async throws {
    try await Bench.with { bench in
      let gate = Gate()
      let handler = JobHandler.outside(.patientDelivery) { _, run in
        if run.key == "held" { try await gate.pass() }
      }
      try await bench.schedule(Job(.deliver, "", at: bench.clock.now, key: "held"))
      try await bench.working([handler]) {
        try await until("it is begun") { gate.arrived == 1 }
        bench.clock.advance(by: .seconds(86_400 * 365))
        try await bench.working([other(bench, [handler])]) {
          try await bench.schedule(Job(.deliver, "", at: bench.clock.now - .seconds(1), key: "free"))
          try await until("the free one is done") {
            try await bench.value("select count(*) from jobs where key = 'free'") == "0"
          }
        }
        #expect(gate.arrived == 1)
        gate.open()
        try await until("it is done") { try await bench.value("select count(*) from jobs") == "0" }
      }
    }
  }

  @Test("a worker that was held up beyond its lease changes nothing when it goes on")
  func heldUpOutside() async throws {
    try await Bench.with { bench in
      let gate = Gate()
      let recurrence = try #require(Recurrence(hour: 13, minute: 0, in: "UTC"))
      try await bench.schedule(Job(.deliver, "", repeating: recurrence, key: "r"))
      bench.clock.advance(by: .seconds(3_600))
      let row = "select id, due_at, attempts, lease_until, fence, last_failure from jobs"
      try await bench.working([.outside(.singleDelivery) { _, _ in await gate.passStubbornly() }]) {
        try await until("it is begun") { gate.arrived == 1 }
        try await endLeases(bench)
        let done = Gathered<Int>()
        let second = other(bench, [.outside(.patientDelivery) { _, run in done.add(run.attempt) }])
        try await bench.working([second]) {
          try await until("the other has done it") {
            try await bench.value("select due_at from jobs") == "2026-01-16 13:00:00+00"
          }
        }
        let after = try await bench.sql(row)
        #expect(done.all == [2])
        gate.open()
        // Its next statement comes after the one about the job that it does not own any more.
        try await bench.schedule(Job(.deliver, "", at: bench.clock.now, key: "next"))
        try await until("the next is done") { try await bench.value("select count(*) from jobs") == "1" }
        #expect(try await bench.sql(row) == after)
      }
    }
  }

  @Test("of two workers that run one job in their transactions, because the first was held up, only one commits")
  func heldUpInTransaction() async throws {
    try await Bench.with { bench in
      let gate = Gate()
      try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "k"))
      // Taken, and then its worker is silent for longer than the lease.
      let taken = try await bench.take(.record)
      try await endLeases(bench)
      let slow = JobHandler.inDatabase(.patient) { _, run, tx in
        try await tx.execute(AddEffect(key: "k", due: run.due, replica: "second"))
        try await gate.pass()
      }
      try await bench.working([slow]) {
        try await until("the second is at it") { gate.arrived == 1 }
        // The row is locked by the second until its transaction ends, so no other worker finds a job.
        #expect(try await bench.value("select count(*) from (select from jobs for update skip locked) as free") == "0")
        gate.open()
        try await until("it is done") { try await bench.done == ["k"] }
      }
      // The first wakes up and uses its old fence.
      let stale = try #require(taken)
      #expect(try await bench.database.write(CompleteByFence(id: stale.id, fence: stale.fence)) == 0)
      #expect(try await bench.done == ["k"])
    }
  }

  @Test("what is replaced while it runs is done once more, as it was scheduled last")
  func replacedMeanwhile() async throws {
    try await Bench.with { bench in
      let gate = Gate()
      let seen = Gathered<String>()
      let handler = JobHandler.outside(.patientDelivery) { payload, _ in
        seen.add(payload)
        if payload == "old" { try await gate.pass() }
      }
      try await bench.schedule(Job(.deliver, "old", at: bench.clock.now, key: "k"))
      try await bench.working([handler]) {
        try await until("it is begun") { gate.arrived == 1 }
        try await bench.schedule(Job(.deliver, "new", at: bench.clock.now, key: "k"))
        try await until("the new one is begun") { seen.all == ["old", "new"] }
        gate.open()
        try await until("all is done") { try await bench.value("select count(*) from jobs") == "0" }
      }
      #expect(seen.all == ["old", "new"])
    }
  }

  @Test("of a cancellation and the job that it meets one wins")
  func cancelledMeanwhile() async throws {
    try await Bench.with { bench in
      let count = 60
      for number in 0..<count { try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "\(number)")) }
      let cancelled = Gathered<String>()
      try await bench.working([bench.recording]) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<count {
            group.addTask {
              let wasThere = try await bench.database.repeatableTransaction { tx in
                try await tx.cancel(.record, key: "\(number)")
              }
              if wasThere { cancelled.add("\(number)") }
            }
          }
          try await group.waitForAll()
        }
        try await until("nothing is left") { try await bench.value("select count(*) from jobs") == "0" }
      }
      let all = try await bench.done + cancelled.all
      #expect(Set(all).count == count && all.count == count)
    }
  }

  @Test("jobs whose processes died while they ran count as attempts, and are given up when they killed too many")
  func deadly() async throws {
    try await Bench.with { bench in
      var limits = JobLimits()
      limits.attempts = 3
      let kind = JobKind<String>("record", limits)
      try await bench.schedule(Job(kind, "", at: bench.clock.now, key: "deadly"))
      for _ in 0..<3 {
        _ = try await bench.take(kind)
        try await endLeases(bench)
      }
      try await bench.working([.inDatabase(kind) { _, _, _ in Issue.record("it was run once more") }]) {
        try await until("it is given up") { try await bench.value("select count(*) from dead_jobs") == "1" }
      }
      #expect(
        try await bench.value("select last_failure from dead_jobs")
          == "3 runs ended without a word, perhaps with their processes")
    }
  }

  @Test("a service that stops gives back what it cannot finish, for others to take at once")
  func stopping() async throws {
    try await Bench.with { bench in
      let gate = Gate()
      try await bench.schedule(Job(.deliver, "", at: bench.clock.now, key: "k"))
      let worker = JobWorker(
        [.outside(.patientDelivery) { _, _ in try await gate.pass() }], jobs: bench.jobs, database: bench.database,
        logger: Bench.logger)
      let group = ServiceGroup(configuration: .init(services: [.init(service: worker)], logger: Bench.logger))
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        try await until("it is begun") { gate.arrived == 1 }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      let row = try await bench.sql("select attempts, lease_until, last_failure from jobs")
      #expect(row == [["0", nil, nil]])
    }
  }
}
