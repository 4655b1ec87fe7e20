import Environment
import Identifiers
import Postgres
import TestSupport
import Testing

@testable import Jobs
@testable import jobs_probe

@Suite("Running jobs", .timeLimit(.minutes(5)))
struct RunTests {
  @Test("are begun in the order of their times, whatever their kinds")
  func order() async throws {
    try await Bench.with { bench in
      let places = Array(0..<60).shuffled()
      for place in places {
        let due = bench.clock.now - .seconds(1_000 - place)
        let kind: JobKind<String> = place.isMultiple(of: 3) ? .deliver : .record
        try await bench.schedule(Job(kind, "", at: due, key: "\(place)"))
      }
      let begun = Gathered<Int>()
      var limits = JobWorkerLimits()
      limits.atOnce = 1
      let handlers: [JobHandler] = [
        .inDatabase(.patient) { _, run, _ in begun.add(Int(run.key ?? "") ?? -1) },
        .outside(.patientDelivery) { _, run in begun.add(Int(run.key ?? "") ?? -1) },
      ]
      try await bench.working(handlers, limits) {
        try await until("all are done") { begun.all.count == places.count }
      }
      #expect(begun.all == Array(0..<60))
    }
  }

  @Test(
    "29 A11: jobs with places of their own that hang hold up no others, and no more run at a time than their kind may")
  func ownPlaces() async throws {
    try await Bench.with { bench in
      var ofKind = JobLimits()
      ofKind.places = .own
      ofKind.atOnce = 2
      ofKind.duration = .seconds(600)
      let (gate, begun) = (Gate(), Gathered<String>())
      let hanging = JobHandler.outside(JobKind<String>("deliver", ofKind)) { _, run in
        begun.add(run.key ?? "")
        try await gate.pass()
      }
      for number in 1...3 {
        try await bench.schedule(Job(.deliver, "", at: bench.clock.now - .seconds(60), key: "\(number)"))
        try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "\(number)"))
      }
      var limits = JobWorkerLimits()
      limits.atOnce = 1
      try await bench.working([hanging, bench.recording], limits) {
        try await until("the others are done") { try await bench.done.count == 3 && begun.all.count == 2 }
        #expect(try await bench.waiting() == 3)
        gate.open()
        try await until("all are done") { try await bench.waiting() == 0 }
      }
      #expect(begun.all.sorted() == ["1", "2", "3"])
    }
  }

  @Test("thirty workers that race for three hundred jobs do each once")
  func racing() async throws {
    try await Bench.with { bench in
      let count = 300
      try await bench.database.transaction { tx in
        for number in 0..<count {
          try await tx.schedule(Job(.record, "", at: bench.clock.now, key: "\(number)"), with: bench.jobs)
        }
      }
      let workers = (0..<30).map { _ in
        JobWorker(
          [bench.recording], jobs: Jobs(environment: bench.jobs.environment, service: "probe"),
          database: bench.database,
          logger: Bench.logger)
      }
      try await bench.working(workers) {
        try await until("all are done") {
          // A run that found no connection in time is repeated.
          bench.clock.advance(by: .seconds(1))
          return try await bench.value("select count(*) from jobs") == "0"
        }
      }
      #expect(try await bench.value("select count(*) from effects") == "\(count)")
      #expect(try await bench.value("select count(distinct key) from effects") == "\(count)")
    }
  }

  @Test("a worker that sleeps is woken by what is scheduled before it would look again, after the commit")
  func woken() async throws {
    try await Bench.with { bench in
      var limits = JobWorkerLimits()
      limits.lookInterval = .seconds(86_400)
      try await bench.working([bench.recording], limits) {
        try await bench.schedule(Job(.record, "", at: bench.clock.now + .seconds(60), key: "b"))
        for round in 1...20 {
          try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "a\(round)"))
          try await until("it is done") { try await bench.done.count == round }
        }
        // Scheduled by another replica, which says so.
        let other = Jobs(environment: bench.jobs.environment, service: "probe")
        try await bench.database.transaction { tx in
          try await tx.schedule(Job(.record, "", at: bench.clock.now, key: "c"), with: other)
        }
        bench.jobs.wake()
        try await until("the other's is done") { try await bench.done.last == "c" }
      }
    }
  }

  @Test("a failed run is undone and comes again after a growing pause, until it is given up for an operator to see")
  func failing() async throws {
    try await Bench.with { bench in
      var limits = JobLimits()
      limits.attempts = 4
      limits.firstPause = .seconds(8)
      let kind = JobKind<String>("record", limits)
      let handler = JobHandler.inDatabase(kind) { _, run, tx in
        try await tx.execute(AddEffect(key: "undone", due: run.due, replica: ""))
        throw Mishap()
      }
      try await bench.schedule(Job(kind, "", at: bench.clock.now, key: "k"))
      try await bench.working([handler]) {
        for (attempt, longest) in [(1, 8), (2, 16), (3, 32)] {
          try await until("attempt \(attempt) failed") {
            try await bench.value("select last_failure from jobs where attempts = \(attempt) and lease_until is null")
              == "a mishap"
          }
          let pause = "extract(epoch from ready_at - '\(bench.clock.now)'::timestamptz)"
          #expect(
            try await bench.value("select \(pause) between \(longest) / 2.0 and \(longest) from jobs") == "t")
          bench.clock.advance(by: .seconds(longest))
        }
        try await until("it is given up") { try await bench.value("select kind from dead_jobs") == "record" }
      }
      #expect(try await bench.done == [])
      #expect(try await bench.sql("select key, attempts, last_failure from dead_jobs") == [["k", "4", "a mishap"]])
      // The dead letter does not block others.
      try await bench.schedule(Job(kind, "", at: bench.clock.now, key: "k"))
      #expect(try await bench.value("select count(*) from jobs") == "2")
    }
  }

  @Test("a job is given up at once when its code refuses it, its payload cannot be read, or it is too old")
  func refused() async throws {
    try await Bench.with { bench in
      var limits = JobLimits()
      limits.age = .seconds(60)
      let refusing = JobKind<String>("refusing", limits)
      let unreadable = JobKind<Picky>("unreadable", limits)
      let old = JobKind<String>("old", limits)
      let handlers: [JobHandler] = [
        .inDatabase(refusing) { _, _, _ in throw JobRefusal("there is no such loan") },
        .outside(unreadable) { _, _ in }, .outside(old) { _, _ in throw Mishap() },
      ]
      try await bench.schedule(Job(refusing, "", at: bench.clock.now))
      try await bench.schedule(Job(unreadable, Picky(), at: bench.clock.now))
      try await bench.schedule(Job(old, "", at: bench.clock.now))
      // No worker takes it in time.
      bench.clock.advance(by: .seconds(61))
      try await bench.working(handlers) {
        try await until("all are given up") { try await bench.value("select count(*) from dead_jobs") == "3" }
      }
      #expect(
        try await bench.sql("select kind, attempts, last_failure from dead_jobs order by kind") == [
          ["old", "1", "a mishap"], ["refusing", "1", "there is no such loan"],
          ["unreadable", "1", "its payload cannot be read: a mishap"],
        ])
    }
  }

  @Test("a job that was given up for its age is tried again as often as a new one, once an operator says so")
  func retriedOld() async throws {
    try await Bench.with { bench in
      var limits = JobLimits()
      (limits.age, limits.attempts, limits.firstPause) = (.seconds(60), 3, .seconds(1))
      let old = JobKind<String>("old", limits)
      try await bench.schedule(Job(old, "", at: bench.clock.now))
      bench.clock.advance(by: .seconds(61))
      try await bench.working([.outside(old) { _, _ in throw Mishap() }]) {
        try await until("it is too old") { try await bench.value("select attempts from dead_jobs") == "1" }
        let id = try #require(try await bench.value("select id from dead_jobs").flatMap { UUID7($0) })

        _ = try await bench.database.write(RetryDeadJob(now: bench.clock.now, id: id))
        for attempt in 1...2 {
          try await until("attempt \(attempt) failed") {
            try await bench.value(
              "select 1 from jobs where attempts = \(attempt) and lease_until is null and dead_at is null") == "1"
          }
          bench.clock.advance(by: .seconds(2))
        }
        try await until("it has had all its attempts") {
          try await bench.value("select attempts from dead_jobs") == "3"
        }
      }
    }
  }

  @Test("a repeating job whose occurrence is given up goes on with the next one")
  func deadOccurrence() async throws {
    try await Bench.with { bench in
      let recurrence = try #require(Recurrence(hour: 13, minute: 0, in: "UTC"))
      try await bench.schedule(Job(.record, "p", repeating: recurrence, key: "r"))
      let handler = JobHandler.inDatabase(.patient) { _, run, tx in
        if run.due < bench.clock.now { throw JobRefusal("too late") }
        try await tx.execute(AddEffect(key: "r", due: run.due, replica: ""))
      }
      bench.clock.advance(by: .seconds(3_601))
      try await bench.working([handler]) {
        try await until("one is given up") { try await bench.value("select count(*) from dead_jobs") == "1" }
        bench.clock.set(Instant(utc: "2026-01-16T13:00Z"))
        try await until("the next is done") { try await bench.done == ["r"] }
      }
      #expect(
        try await bench.sql("select key, due_at, last_failure from dead_jobs") == [
          ["r", "2026-01-15 13:00:00+00", "too late"]
        ])
      #expect(
        try await bench.value("select due_at from jobs where dead_at is null") == "2026-01-17 13:00:00+00")
    }
  }

  @Test("a run that takes too long is cancelled and has failed")
  func tooLong() async throws {
    try await Bench.with { bench in
      var limits = JobLimits()
      limits.duration = .milliseconds(50)
      let kind = JobKind<String>("slow", limits)
      let gate = Gate()
      try await bench.schedule(Job(kind, "", at: bench.clock.now))
      try await bench.working([.outside(kind) { _, _ in try await gate.pass() }]) {
        try await until("it has failed") {
          try await bench.value("select last_failure from jobs") == "it was not done within 0.05 seconds"
        }
      }
      // More often where the machine took longer than the lease to note the failure.
      #expect(gate.arrived >= 1)
    }
  }

  @Test("a kind whose jobs hang has its share of the room and no more")
  func hangingKind() async throws {
    try await Bench.with { bench in
      var limits = JobLimits.patient
      limits.atOnce = 2
      let hanging = JobKind<String>("hanging", limits)
      let gate = Gate()
      for _ in 0..<10 { try await bench.schedule(Job(hanging, "", at: bench.clock.now - .seconds(60))) }
      for number in 0..<10 { try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "\(number)")) }
      try await bench.working([.outside(hanging) { _, _ in try await gate.pass() }, bench.recording]) {
        try await until("the others are done") { try await bench.done.count == 10 }
      }
      #expect(gate.arrived == 2)
    }
  }
}

struct Mishap: Error, CustomStringConvertible {
  var description: String { "a mishap" }
}

/// Can be written and never read.
struct Picky: JobPayload {
  var jobBytes: [UInt8] { [1] }
  init() {}
  init(jobBytes: [UInt8]) throws { throw Mishap() }
}
