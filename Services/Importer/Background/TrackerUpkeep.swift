import Environment
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Jobs
import Logging
import PeriodicTask
import Postgres
import ProviderAdapters
import ServiceLifecycle

/// What keeps imports and connections going besides users: scheduled imports, revocations, and a look at what was left behind.
package struct TrackerUpkeep: Service {
  private let operations: TrackerOperations
  private let database: Database
  private let environment: Environment
  private let jobs: Jobs
  private let interval: Duration
  private let logger: Logger

  /// An import that nothing happened to for this long has lost its job.
  private static let stuckAfter: Duration = .seconds(3_600)
  private static let batch: Int64 = 500

  /// - Parameter interval: between two looks.
  package init(
    _ operations: TrackerOperations, database: Database, environment: Environment, jobs: Jobs, interval: Duration,
    logger: Logger
  ) {
    (self.operations, self.database, self.environment) = (operations, database, environment)
    (self.jobs, self.interval, self.logger) = (jobs, interval, logger)
  }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.syncTracker) { text, _, tx in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await operations.syncTracker(id, by: .schedule, tx)
      },
      .outside(.revokeTracker) { text, _ in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await operations.revocations.revoke(id)
      },
    ]
  }

  package func run() async throws {
    await repeatUntilShutdown(every: interval, logger, "connections to trackers could not be looked after") { _ in
      try await look()
    }
  }

  private func look() async throws {
    let now = environment.clock.now
    try await lookAtEndings(at: now)
    for stuck in try await database.rows(StuckImports(moment: now - Self.stuckAfter, limit: Self.batch)) {
      try await database.transaction { tx in
        try await operations.imports.goOn(stuck.importID, from: stuck.provider, step: stuck.step, at: now, tx)
      }
    }
    for row in try await database.rows(
      ProviderFigures(failedAfter: now - .seconds(86_400), providers: operations.providers.map(\.id)))
    {
      let age = row.oldestSync.map { (now - $0).components.seconds } ?? 0
      operations.metrics.oldestSync(row.provider, seconds: age)
      operations.metrics.breaker(row.provider, isOpen: row.openUntil != nil)
    }
  }

  /// What has ended is revoked until the provider confirms it, or its time is over: no state of a connection waits for a
  /// provider for ever.
  private func lookAtEndings(at now: Instant) async throws {
    let endings = try await database.rows(EndingConnections(limit: Self.batch))
    let overdue = endings.prefix { $0.endedAt <= now - Revocations.time }.map(\.connectionID)
    if !overdue.isEmpty {
      try await database.transaction { tx in try await operations.revocations.giveUp(overdue, tx) }
    }
    let waiting = endings.dropFirst(overdue.count)
    guard !waiting.isEmpty else { return }
    try await database.transaction { tx in
      for ending in waiting {
        let id = "\(ending.connectionID)"
        try await tx.schedule(Job(.revokeTracker, id, at: now, key: id, ifScheduled: .isKept), with: jobs)
      }
    }
  }
}
