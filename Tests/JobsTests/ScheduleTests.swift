import Identifiers
import Jobs
import Postgres
import TestSupport
import Testing

@testable import jobs_probe

@Suite("Scheduling jobs", .timeLimit(.minutes(5)))
struct ScheduleTests {
  @Test("every statement can be prepared, and every table and column has a comment")
  func schema() async throws {
    try await Bench.with { bench in
      let problems = try await SchemaCheck.problems(of: "probe", in: bench.test, statements: JobsSchema.statements)
      #expect(problems == [])
    }
  }

  @Test("a job is done when it is due and not before, and leaves no row behind")
  func onTime() async throws {
    try await Bench.with { bench in
      try await bench.schedule(Job(.record, "", at: bench.clock.now + .seconds(3600), key: "later"))
      try await bench.working([bench.recording]) {
        try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "now"))
        try await until("the first is done") { try await bench.done == ["now"] }
        bench.clock.advance(by: .seconds(3599))
        try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "meanwhile"))
        try await until("another is done") { try await bench.done == ["now", "meanwhile"] }
        bench.clock.advance(by: .seconds(1))
        try await until("the last is done") { try await bench.done == ["now", "meanwhile", "later"] }
      }
      #expect(try await bench.value("select count(*) from jobs") == "0")
    }
  }

  @Test("what a transaction schedules or cancels that is rolled back, it did not")
  func rolledBack() async throws {
    try await Bench.with { bench in
      try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "stays"))
      await #expect(throws: CancellationError.self) {
        try await bench.database.transaction { tx in
          #expect(try await tx.cancel(.record, key: "stays"))
          try await tx.schedule(Job(.record, "", at: bench.clock.now, key: "never"), with: bench.jobs)
          throw CancellationError()
        }
      }
      #expect(try await bench.sql("select key from jobs") == [["stays"]])
    }
  }

  @Test("a repeating job is not done on the day that its schedule begins after, nor before it")
  func afterDay() async throws {
    try await Bench.with { bench in
      let evening = try #require(Recurrence(hour: 18, minute: 0, in: "Europe/Berlin"))
      for (day, expected) in [(nil, "01-15"), (14, "01-15"), (15, "01-16"), (20, "01-21")] as [(Int?, String)] {
        let last = day.flatMap { CivilDate(year: 2026, month: 1, day: $0) }
        try await bench.schedule(Job(.record, "", repeating: evening, after: last, key: "daily"))
        #expect(
          try await bench.sql("select to_char(repeat_day, 'MM-DD'), count(*) over () from jobs") == [[expected, "1"]])
      }
    }
  }

  @Test("what is cancelled is not done, and cancelling tells whether there was something")
  func cancelled() async throws {
    try await Bench.with { bench in
      try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "moot"))
      try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "wanted"))
      try await bench.database.transaction { (tx) async throws in
        #expect(try await tx.cancel(.record, key: "moot"))
        #expect(try await tx.cancel(.record, key: "moot") == false)
        #expect(try await tx.cancel(.deliver, key: "wanted") == false)
      }
      try await bench.working([bench.recording]) {
        try await until("the rest is done") { try await bench.value("select count(*) from jobs") == "0" }
      }
      #expect(try await bench.done == ["wanted"])
    }
  }

  @Test("scheduling a key again replaces the job or keeps it, as the caller says; without a key there may be many")
  func again() async throws {
    try await Bench.with { bench in
      let now = bench.clock.now
      try await bench.schedule(Job(.record, "first", at: now, key: "k"))
      try await bench.schedule(Job(.record, "kept out", at: now, key: "k", ifScheduled: .isKept))
      #expect(try await bench.sql("select convert_from(payload, 'UTF8') from jobs") == [["first"]])
      try await bench.schedule(Job(.record, "second", at: now + .seconds(60), key: "k"))
      let row = "select convert_from(payload, 'UTF8'), due_at - created_at from jobs"
      #expect(try await bench.sql(row) == [["second", "00:01:00"]])
      for _ in 0..<3 { try await bench.schedule(Job(.record, "", at: now)) }
      try await bench.schedule(Job(.deliver, "", at: now, key: "k"))
      #expect(try await bench.value("select count(*) from jobs") == "5")
    }
  }

  @Test("fifty who schedule one key at the same moment leave one job, and so do fifty more who keep it")
  func racing() async throws {
    try await Bench.with { bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<100 {
          let job = Job(
            .record, "\(caller)", at: bench.clock.now, key: "k", ifScheduled: caller < 50 ? .isReplaced : .isKept)
          group.addTask { try await bench.schedule(job) }
        }
        try await group.waitForAll()
      }
      #expect(try await bench.value("select count(*) from jobs") == "1")
    }
  }

  @Test("a repeating job that is kept goes on as it was, unless it is to repeat at another time")
  func keptRecurrence() async throws {
    try await Bench.with { bench in
      let early = try #require(Recurrence(hour: 6, minute: 30, in: "Europe/Berlin"))
      let late = try #require(Recurrence(hour: 20, minute: 0, on: [.saturday, .sunday], in: "Europe/Berlin"))
      func schedule(_ recurrence: Recurrence) async throws -> [[String?]] {
        try await bench.schedule(Job(.record, "", repeating: recurrence, key: "r", ifScheduled: .isKept))
        return try await bench.sql("select due_at, repeat_day, fence from jobs")
      }
      // It is Thursday the 15th, one o'clock in the afternoon in Berlin.
      #expect(try await schedule(early) == [["2026-01-16 05:30:00+00", "2026-01-16", "0"]])
      bench.clock.advance(by: .seconds(86_400 * 3))
      #expect(try await schedule(early) == [["2026-01-16 05:30:00+00", "2026-01-16", "0"]])
      #expect(try await schedule(late) == [["2026-01-18 19:00:00+00", "2026-01-18", "1"]])
    }
  }

  @Test("a payload or a key that is too long, and a zone that nobody knows, are refused")
  func refused() async throws {
    try await Bench.with { bench in
      func refusal(_ job: Job) async throws -> SQLState? {
        do { try await bench.schedule(job) } catch let error as PostgresError { return error.sqlState }
        return nil
      }
      let now = bench.clock.now
      let bytes = JobKind<[UInt8]>("bytes")
      #expect(try await refusal(Job(bytes, [UInt8](repeating: 0, count: 65_536), at: now)) == nil)
      #expect(try await refusal(Job(bytes, [UInt8](repeating: 0, count: 65_537), at: now)) == .checkViolation)
      #expect(try await refusal(Job(.record, "", at: now, key: "")) == .checkViolation)
      let long = String(repeating: "k", count: 201)
      #expect(try await refusal(Job(.record, "", at: now, key: long)) == .checkViolation)
      let nowhere = try #require(Recurrence(hour: 1, minute: 1, in: "Europe/Atlantis"))
      #expect(try await refusal(Job(.record, "", repeating: nowhere, key: "k")) == "22023")
      #expect(Recurrence(hour: 24, minute: 0, in: "UTC") == nil)
      #expect(Recurrence(hour: 0, minute: 0, on: [], in: "UTC") == nil)
    }
  }
}
