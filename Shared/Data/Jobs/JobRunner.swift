import Environment
import Identifiers
import Logging
import Postgres
import ServiceLifecycle

/// Runs jobs that were taken, and stores the results in the database.
struct JobRunner: Sendable {
  private let handlers: [String: JobHandler]
  private let environment: Environment
  private let database: Database
  private let metrics: JobMetrics
  private let logger: Logger

  /// How long a run may continue once the service stops: less than the host waits for its parts after the calls are
  /// drained.
  private static let patienceAtStop: Duration = .milliseconds(1_500)

  init(
    _ handlers: [String: JobHandler], _ environment: Environment, _ database: Database, _ metrics: JobMetrics,
    _ logger: Logger
  ) {
    self.handlers = handlers
    self.environment = environment
    self.database = database
    self.metrics = metrics
    self.logger = logger
  }

  /// Runs `job` and stores the result.
  func run(_ job: TakenJob) async {
    guard let handler = handlers[job.kind] else { return }
    metrics.began(job.kind, late: environment.clock.now - job.due)
    do {
      let outcome = try await end(job, handler, result(job, handler))
      metrics.ended(job.kind, outcome)
    } catch {
      // The lease will expire, and the job be taken again.
      logger.warning("a job's end could not be stored", metadata: details(job, error))
      metrics.ended(job.kind, .failed)
    }
  }

  private func result(_ job: TakenJob, _ handler: JobHandler) async -> RunResult {
    // Attempts are counted when a job is taken, so a number beyond the limit means that its last run ended with its
    // process.
    guard job.attempt <= handler.limits.attempts else {
      return .failed(JobRefusal("\(job.attempt - 1) runs ended without a word, perhaps with their processes"))
    }
    return await limited(to: handler.limits.duration) {
      switch handler.effect {
      case .inDatabase(let body):
        try await database.repeatableTransaction { tx in
          // First, so that the effect may schedule or cancel a job with the same key.
          let isOurs =
            job.repeats ? try await tx.first(advance(job)) != nil : try await tx.first(complete(job)) != nil
          guard isOurs else { throw LeaseLost() }
          try await body(JobRun(job), job.payload, tx)
        }
      case .outside(let body):
        try await body(JobRun(job), job.payload)
        let isOurs =
          job.repeats
          ? try await !database.write(advance(job)).isEmpty : try await !database.write(complete(job)).isEmpty
        guard isOurs else { throw LeaseLost() }
      }
    }
  }

  private func complete(_ job: TakenJob) -> CompleteJob { CompleteJob(id: job.id, fence: job.fence) }

  private func advance(_ job: TakenJob) -> AdvanceJob {
    AdvanceJob(now: environment.clock.now, id: job.id, fence: job.fence)
  }

  /// Stores the result of the run in the database, and logs it.
  private func end(_ job: TakenJob, _ handler: JobHandler, _ result: RunResult) async throws -> JobOutcome {
    switch result {
    case .done: return .done
    case .stopped:
      return try await database.write(ReleaseJob(id: job.id, fence: job.fence)).isEmpty ? .overtaken : .released
    case .failed(let error):
      let outcome = try await end(job, handler, after: error)
      switch outcome {
      case .overtaken: logger.info("a job was changed or taken by another while it ran", metadata: details(job, error))
      case .dead: logger.error("a job was given up", metadata: details(job, error))
      default: logger.warning("a job failed and will be tried again", metadata: details(job, error))
      }
      return outcome
    }
  }

  private func end(_ job: TakenJob, _ handler: JobHandler, after error: any Error) async throws -> JobOutcome {
    if error is LeaseLost { return .overtaken }
    if isLast(job, handler, error) { return try await giveUp(job, error) }
    let chance = Double(environment.randomness.uint64() >> 11) / Double(1 << 53)
    let pause = handler.limits.pause(after: Int(job.attempt), chance: chance)
    let failure = NoteJobFailure(
      readyAt: environment.clock.now + pause, reason: "\(error)", id: job.id, fence: job.fence)
    return try await database.write(failure).isEmpty ? .overtaken : .failed
  }

  private func isLast(_ job: TakenJob, _ handler: JobHandler, _ error: any Error) -> Bool {
    error is JobRefusal || job.attempt >= handler.limits.attempts
      || environment.clock.now - job.possibleSince > handler.limits.age
  }

  private func giveUp(_ job: TakenJob, _ error: any Error) async throws -> JobOutcome {
    let (now, reason) = (environment.clock.now, "\(error)")
    let isBuried = try await database.transaction { tx in
      guard job.repeats else {
        return try await tx.first(DeadLetterJob(now: now, reason: reason, id: job.id, fence: job.fence)) != nil
      }
      // Its other occurrences go on.
      let deadID = environment.randomness.uuid7(at: now)
      try await tx.execute(
        BuryOccurrence(deadID: deadID, reason: reason, now: now, id: job.id, fence: job.fence))
      return try await tx.first(AdvanceJob(now: now, id: job.id, fence: job.fence)) != nil
    }
    return isBuried ? .dead : .overtaken
  }

  private func details(_ job: TakenJob, _ error: any Error) -> Logger.Metadata {
    [
      "kind": "\(job.kind)", "job": "\(job.id)", "due": "\(job.due)", "attempt": "\(job.attempt)",
      "cause": "\(error)",
    ]
  }
}

/// The result of a run's code.
private enum RunResult: Sendable {
  case done
  case failed(any Error)
  /// The service stops, and the run did not end in time.
  case stopped
}

/// Another replica has taken the job, or it was cancelled or replaced.
private struct LeaseLost: Error, CustomStringConvertible {
  var description: String { "it was cancelled, replaced or taken by another meanwhile" }
}

/// A run took longer than its kind allows.
private struct RunTooLong: Error, CustomStringConvertible {
  let limit: Duration
  var description: String { "it was not done within \(limit)" }
}

extension JobRunner {
  private enum Ending: Sendable {
    case body(Result<Void, any Error>)
    case timeUp
    case stopping
  }

  /// The result of `body`, which is cancelled when its time is up or the service stops.
  private func limited(to limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async -> RunResult {
    await withTaskGroup(of: Ending.self) { group in
      group.addTask { .body(await Self.result(of: body)) }
      // These two throw only when the group is cancelled.
      group.addTask {
        // The time limit of the run, from its kind of job.
        try? await Task.sleep(for: limit)
        return .timeUp
      }
      group.addTask {
        try? await gracefulShutdown()
        // The time in which a run has to end once the service stops.
        try? await Task.sleep(for: Self.patienceAtStop)
        return .stopping
      }
      let first = await group.next() ?? .stopping
      group.cancelAll()
      // The result of the body counts: it may have finished before it noticed its cancellation.
      var body = first
      while let next = await group.next() { if case .body = next { body = next } }
      switch (first, body) {
      case (_, .body(.success)): return .done
      case (.body, .body(.failure(let error))): return Task.isCancelled ? .stopped : .failed(error)
      case (.timeUp, _): return Task.isCancelled ? .stopped : .failed(RunTooLong(limit: limit))
      case (_, _): return .stopped
      }
    }
  }

  private static func result(of body: () async throws -> Void) async -> Result<Void, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
