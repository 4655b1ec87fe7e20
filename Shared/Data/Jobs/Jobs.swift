public import Environment
import Identifiers
public import Live
public import Postgres

/// What schedules jobs: the surroundings they are scheduled in, and bells for those who run them.
public final class Jobs: Sendable {
  /// Tells what is due, and makes jobs' ids.
  public let environment: Environment
  let signal = JobSignal()
  private let bus: (any LiveBus)?
  private let channel: LiveChannel

  /// What is due later is found by the other replicas' own looks, which are about this far apart.
  private static let horizon: Duration = .seconds(5)

  /// - Parameter bus: tells the other replicas of what is due at once; without it they find it by their own looks, if nobody else has done it by
  ///   then.
  public init(environment: Environment, service: String, bus: (any LiveBus)? = nil) {
    self.environment = environment
    self.bus = bus
    channel = LiveChannel("\(service).jobs")
  }

  /// Has due jobs looked for now.
  func wake() { signal.send() }

  /// Wakes at what other replicas tell, until the task is cancelled.
  func listen() async {
    guard let bus else { return }
    for await _ in bus.subscribe(to: channel) { signal.send() }
  }

  /// Says that a job was scheduled for `moment`; `nil` is one that only the database knows.
  fileprivate func scheduled(at moment: Instant?) {
    signal.send(for: moment)
    if let moment, moment < environment.clock.now + Self.horizon { bus?.publish([], to: channel) }
  }
}

extension Transaction {
  /// Has `job` done at its time, if the transaction commits.
  ///
  /// - Throws: ``PostgresError`` `22023` for a zone that the database does not know, `23514` for a key or a payload that is too long.
  public func schedule(_ job: Job, with jobs: Jobs) async throws {
    let row = JobRow(
      job, id: jobs.environment.randomness.uuid7(at: jobs.environment.clock.now), now: jobs.environment.clock.now)
    var moment: Instant?
    switch (job.time, job.earlier) {
    case (.once(let due), .isReplaced):
      moment = due
      try await execute(PutJob(row: row, due: due))
    case (.once(let due), .isKept):
      moment = due
      try await execute(KeepJob(row: row, due: due))
    case (.repeating(let recurrence, let lastDay), .isReplaced):
      try await execute(PutRepeatingJob(row: row, recurrence: recurrence, lastDay: lastDay))
    case (.repeating(let recurrence, let lastDay), .isKept):
      try await execute(KeepRepeatingJob(row: row, recurrence: recurrence, lastDay: lastDay))
    }
    afterCommit { [moment] in jobs.scheduled(at: moment) }
  }

  /// Has the living job of that kind and key never done, if the transaction commits.
  ///
  /// One that is being done right now is waited for, when its effect is in the database: it either is done before, or not at all. One whose
  /// effect is elsewhere may have had it.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancel<Payload>(_ kind: JobKind<Payload>, key: String) async throws -> Bool {
    try await first(CancelJob(kind: kind.name, key: key)) != nil
  }
}
