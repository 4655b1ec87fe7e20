import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import MatchingStore
import Metrics
import Postgres

/// The job that judges sessions 15 min after their start, by the scheduled time ([MA-10]).
package struct SessionJudgement: Sendable {
  /// Sessions in one transaction: each is locked until its end, some tenths of a second later.
  private static let batch = 500

  private let operations: SessionOperations
  private let jobs: Jobs

  package init(operations: SessionOperations, jobs: Jobs) { (self.operations, self.jobs) = (operations, jobs) }

  package var handler: JobHandler {
    .inDatabase(.judgeSessions) { start, run, tx in
      guard let microseconds = Int64(start) else { throw JobRefusal("its payload is no time") }
      try await judge(Instant(microseconds: microseconds), run, tx)
    }
  }

  private func judge(_ start: Instant, _ run: JobRun, _ tx: Transaction) async throws {
    let now = try await tx.trusted(jobs.environment.clock.now)
    let key = "\(start.microseconds)"
    let left = CheckIn.judgement(of: start) - now
    guard left <= .zero else {
      // This replica's clock is ahead, and its job came too early: the time is left by any clock.
      return try await tx.schedule(
        Job(.judgeSessions, key, at: jobs.environment.clock.now + left, key: key), with: jobs)
    }
    let verdicts = try await operations.judgeSessions(startingAt: start, limit: Self.batch, at: now, tx)
    count(verdicts)
    guard verdicts.count == Self.batch else { return }
    // By its own time, so that the rest comes before what is due later.
    try await tx.schedule(Job(.judgeSessions, key, at: run.due, key: key), with: jobs)
  }

  private func count(_ verdicts: [JudgeSessions.Row]) {
    let excused = verdicts.count { $0.state == .matched && $0.isExcused }
    let lapsed = verdicts.count { $0.state == .open }
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "excused")]).increment(by: excused)
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "lapsed")]).increment(by: lapsed)
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "failed")])
      .increment(by: verdicts.count - excused - lapsed)
  }
}
