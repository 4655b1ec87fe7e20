import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Logging
import PeriodicTask
import Postgres
import ProviderAdapters
import ServiceLifecycle

/// What keeps imports and connections going besides users: scheduled imports, revocations, and a look at what was left behind.
struct TrackerUpkeep: Service {
  let database: Database
  let environment: Environment
  let jobs: Jobs
  let providers: [ConfiguredProvider]
  let imports: Imports
  let revocations: Revocations
  let metrics: TrackerMetrics
  let interval: Duration
  let logger: Logger

  /// An import that nothing happened to for this long has lost its job.
  private static let stuckAfter: Duration = .seconds(3_600)
  private static let batch: Int64 = 500

  var handlers: [JobHandler] {
    [
      .inDatabase(.syncTracker) { text, _, tx in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await sync(id, by: .schedule, tx)
      },
      .outside(.revokeTracker) { text, _ in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await revocations.revoke(id)
      },
    ]
  }

  /// Begins an import of a connection, unless one runs; the next one is scheduled in any case.
  func sync(
    _ id: ConnectionID, by cause: ImportCause, bringing extent: Imports.Extent = .everything, _ tx: Transaction
  ) async throws {
    guard let found = try await tx.first(ConnectionToSync(connectionID: id)),
      let provider = providers.first(where: { $0.id == found.provider }),
      let connection = try await tx.first(LockConnection(userID: found.userID, provider: found.provider))
    else { return }
    if cause == .schedule { try await imports.scheduleSync(of: id, tx) }
    let isPaused = try await tx.first(ProviderState(provider: found.provider))?.paused == true
    let begun =
      isPaused
      ? nil : try await imports.begin(of: found.userID, connection, at: provider, by: cause, bringing: extent, tx)
    // The provider does not tell again.
    if cause == .webhook, begun == nil { try await imports.scheduleAnother(of: id, tx) }
  }

  func run() async throws {
    await repeatUntilShutdown(every: interval, logger, "connections to trackers could not be looked after") { _ in
      try await look()
    }
  }

  private func look() async throws {
    let now = environment.clock.now
    try await lookAtEndings(at: now)
    for stuck in try await database.rows(StuckImports(moment: now - Self.stuckAfter, limit: Self.batch)) {
      try await database.transaction { tx in
        try await imports.goOn(stuck.importID, from: stuck.provider, step: stuck.step, at: now, tx)
      }
    }
    for row in try await database.rows(
      ProviderFigures(failedAfter: now - .seconds(86_400), providers: providers.map(\.id)))
    {
      let age = row.oldestSync.map { (now - $0).components.seconds } ?? 0
      metrics.oldestSync(row.provider, seconds: age)
      metrics.breaker(row.provider, isOpen: row.openUntil != nil)
    }
  }

  /// What has ended is revoked until the provider confirms it, or its time is over: no state of a connection waits for a
  /// provider for ever.
  private func lookAtEndings(at now: Instant) async throws {
    let endings = try await database.rows(EndingConnections(limit: Self.batch))
    let overdue = endings.prefix { $0.endedAt <= now - Revocations.time }.map(\.connectionID)
    if !overdue.isEmpty { try await revocations.giveUp(overdue) }
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
