public import Environment
import Identifiers
public import Live
public import Postgres

/// Schedules jobs: the environment that times and ids come from, and the signals for workers.
public final class Jobs: Sendable {
  /// The clock of due times, and the source of jobs' ids.
  public let environment: Environment
  let signal = JobSignal()
  private let bus: (any LiveBus)?
  private let channel: LiveChannel

  /// Jobs that are due later are found when the other replicas next poll, about this far apart.
  private static let horizon: Duration = .seconds(5)

  /// - Parameter bus: notifies the other replicas of jobs that are due at once; without it they find such jobs when
  ///   they next poll, if no replica has done them by then.
  public init(environment: Environment, service: String, bus: (any LiveBus)? = nil) {
    self.environment = environment
    self.bus = bus
    channel = LiveChannel("\(service).jobs")
  }

  /// Makes the worker look for due jobs now.
  func wake() { signal.send() }

  /// Wakes the worker when other replicas send a signal, until the task is cancelled.
  func listen() async {
    guard let bus else { return }
    for await _ in bus.subscribe(to: channel) { signal.send() }
  }

  /// Signals that a job was scheduled for `moment`; `nil` where only the database knows it.
  fileprivate func scheduled(at moment: Instant?) {
    signal.send(for: moment)
    if let moment, moment < environment.clock.now + Self.horizon { bus?.publish([], to: channel) }
  }
}

extension Transaction {
  /// Schedules `job`, if the transaction commits.
  ///
  /// - Throws: ``PostgresError`` `22023` for a zone that the database does not know, `23514` for a key or a payload
  ///   that is too long.
  public func schedule(_ job: Job, with jobs: Jobs) async throws {
    let now = jobs.environment.clock.now
    let id = jobs.environment.randomness.uuid7(at: now)
    var moment: Instant?
    switch (job.time, job.earlier) {
    case (.once(let due), .isReplaced):
      moment = due
      try await execute(PutJob(job, due: due, id: id, now: now))
    case (.once(let due), .isKept):
      moment = due
      try await execute(KeepJob(job, due: due, id: id, now: now))
    case (.repeating(let recurrence, let lastDay), .isReplaced):
      try await execute(PutRepeatingJob(job, recurrence, after: lastDay, id: id, now: now))
    case (.repeating(let recurrence, let lastDay), .isKept):
      try await execute(KeepRepeatingJob(job, recurrence, after: lastDay, id: id, now: now))
    }
    afterCommit { [moment] in jobs.scheduled(at: moment) }
  }

  /// Schedules jobs that are done once and replace earlier ones, in one round trip, if the transaction commits.
  ///
  /// - Throws: as for one job.
  public func schedule(each some: [Job], with jobs: Jobs) async throws {
    let now = jobs.environment.clock.now
    var moments: [Instant] = []
    let puts = some.map { job in
      guard case .once(let due) = job.time, case .isReplaced = job.earlier else {
        preconditionFailure("jobs that are scheduled together are done once and take the place of earlier ones")
      }
      moments.append(due)
      return PutJob(job, due: due, id: jobs.environment.randomness.uuid7(at: now), now: now)
    }
    try await rows(each: puts)
    guard let first = moments.min() else { return }
    afterCommit { jobs.scheduled(at: first) }
  }

  /// Cancels the pending job of a kind and key, if the transaction commits.
  ///
  /// One that is running is waited for, if its effect is in the database: it is either done before, or not at all. One
  /// whose effect is elsewhere may have had it already.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancel<Payload>(_ kind: JobKind<Payload>, key: String) async throws -> Bool {
    try await first(CancelJob(kind: kind.name, key: key)) != nil
  }
}
