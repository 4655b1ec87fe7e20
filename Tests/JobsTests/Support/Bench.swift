import Environment
import Identifiers
import Jobs
import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import jobs_probe

/// A migrated database of the test's own, a clock that stands still, and the workers that a test needs.
struct Bench: Sendable {
  let test: TestDatabase
  let database: Database
  let clock: ManualClock
  /// For scheduling; it wakes the workers that are given its signal.
  let jobs: Jobs

  static let schema = TestSchema(JobsProbe.service.name, JobsProbe.service.migrations)
  private static let loops = LoopGroup(threads: 2)

  /// Logs nothing below critical.
  static let logger: Logger = {
    var logger = Logger(label: "jobs") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return logger
  }()

  static func with(_ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
    try await TestDatabase.with([schema]) { test in
      let database = try connect(test)
      let clock = ManualClock()
      let jobs = Jobs(environment: Environment(clock: clock, randomness: SystemRandomness()), service: "probe")
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(Bench(test: test, database: database, clock: clock, jobs: jobs)))
      } catch {
        result = .failure(error)
      }
      await database.close()
      try result.get()
    }
  }

  /// A database client as a replica has it, patient because a machine that runs many tests at once may take its time.
  static func connect(_ test: TestDatabase) throws -> Database {
    var configuration = DatabaseConfiguration(
      url: test.url(of: schema.name), applicationName: "jobs", schema: schema.name)
    configuration.timeout = .seconds(30)
    configuration.leaseTimeout = .seconds(30)
    configuration.statementTimeout = .seconds(60)
    configuration.transactionsPerLoop = 4
    return try Database(configuration, loops: loops.executors, logger: logger)
  }

  /// Schedules in a transaction of its own.
  func schedule(_ job: Job) async throws {
    try await database.transaction { try await $0.schedule(job, with: jobs) }
  }

  /// Runs `body` while a worker runs `handlers`; it ends with it.
  func working(
    _ handlers: [JobHandler], _ limits: JobWorkerLimits = JobWorkerLimits(),
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await working([JobWorker(handlers, jobs: jobs, database: database, limits: limits, logger: Self.logger)], body)
  }

  /// Runs `body` while `workers` run; they end with it.
  func working(_ workers: [JobWorker], _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await body()
      group.cancelAll()
    }
  }

  /// The handler that leaves a row for each job.
  var recording: JobHandler {
    .inDatabase(.patient) { _, run, tx in
      try await tx.execute(AddEffect(key: run.key ?? "", due: run.due, replica: "bench"))
    }
  }

  /// The keys of what was done, in order.
  var done: [String] {
    get async throws { try await sql("select key from effects order by place").compactMap { $0.first ?? nil } }
  }

  /// How many jobs are not done.
  func waiting() async throws -> Int {
    Int(try await value("select count(*) from jobs where dead_at is null") ?? "") ?? -1
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await Self.sql(text, test) }

  /// The first column of a query's first row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

  @discardableResult
  static func sql(_ text: String, _ test: TestDatabase) async throws -> [[String?]] {
    try await Administration.session(test.url) { session in
      try session.run("set search_path to \(schema.name)")
      try session.run("set time zone 'UTC'")
      return try session.run(text)
    }
  }
}

extension JobKind where Payload == String {
  /// The probe's `record` with time enough on any machine.
  static let patient = JobKind("record", .patient)
  /// The probe's `deliver` with time enough on any machine.
  static let patientDelivery = JobKind("deliver", .patient)
  /// The probe's `deliver` with time enough on any machine, one at a time: a worker that runs one takes no other.
  static let singleDelivery: JobKind = {
    var limits = JobLimits.patient
    limits.atOnce = 1
    return JobKind("deliver", limits)
  }()
}

extension JobLimits {
  /// One run may take longer than any test.
  static let patient: JobLimits = {
    var limits = JobLimits()
    limits.duration = .seconds(600)
    return limits
  }()
}

/// Holds tasks until it is opened; a cancelled task is released.
final class Gate: Sendable {
  private let state = Mutex((arrived: 0, isOpen: false))

  /// How many tasks have arrived.
  var arrived: Int { state.withLock { $0.arrived } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() async throws {
    state.withLock { $0.arrived += 1 }
    // Polls, as cancellation ends a sleep but not a continuation.
    while !state.withLock({ $0.isOpen }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Like ``pass()``, but ignores cancellation.
  func passStubbornly() async {
    state.withLock { $0.arrived += 1 }
    // No sleep: a cancelled task would not be held by one.
    while !state.withLock({ $0.isOpen }) { await Task.yield() }
  }
}

extension Instant {
  /// Reads `2026-03-29T01:00Z`.
  init(utc text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 5, let day = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
      preconditionFailure("\(text) is no time")
    }
    let minutes = (day.daysSince1970 * 24 + numbers[3]) * 60 + numbers[4]
    self.init(microseconds: Int64(minutes) * 60_000_000)
  }
}
