import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Logging
import OAuth2
import OutboundHTTP
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
  let tokens: TokenKeeper
  let client: ProviderClient
  let metrics: TrackerMetrics
  let interval: Duration
  let logger: Logger

  /// An import that nothing happened to for this long has lost its job.
  private static let stuckAfter: Duration = .seconds(3_600)
  /// How long a provider is asked to revoke tokens.
  private static let revocationTime: Duration = .seconds(2 * 86_400)
  private static let batch: Int64 = 500

  var handlers: [JobHandler] {
    [
      .inDatabase(.syncTracker) { text, _, tx in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await sync(id, by: .schedule, tx)
      },
      .outside(.revokeTracker) { text, _ in
        guard let id = ConnectionID(text) else { throw JobRefusal("\(text) is no id of a connection") }
        try await revoke(id)
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

  /// Revokes the tokens of a connection that has ended, and removes it.
  private func revoke(_ id: ConnectionID) async throws {
    guard let ending = try await database.first(EndingConnection(connectionID: id)) else { return }
    // The tokens that arrive replace those that are stored, with which nothing could be revoked then.
    guard !ending.refreshing else { throw RefreshRunning() }
    // At most providers any token of a user's stands for all of them: the consent that was given since would end, too.
    if !ending.replaced, let provider = providers.first(where: { $0.id == ending.provider }),
      let sealed = ending.sealedTokens,
      let opened = try tokens.opened(sealed, of: id),
      let request = provider.adapter.revocation(
        of: RevokedTokens(access: opened.access, refresh: opened.refresh, subject: ending.subject),
        at: provider.endpoints)
    {
      var answer = try await client.send(request, to: provider, token: opened.access)
      // Where the access token proves the call, an expired one revokes nothing, though the user's consent lives on.
      if answer.data.status == 401, let refresh = opened.refresh,
        let new = try await tokens.renewed(refresh, of: id, at: provider),
        let again = provider.adapter.revocation(
          of: RevokedTokens(
            access: new.accessToken, refresh: new.refreshToken ?? refresh, subject: ending.subject),
          at: provider.endpoints)
      {
        answer = try await client.send(again, to: provider, token: new.accessToken)
      }
      // A provider that does not know the tokens (any more) has nothing to revoke.
      let status = answer.data.status
      guard status < 500, status != 429 else { throw RevocationFailed(status: status) }
    }
    try await database.write(DeleteConnection(connectionID: id))
  }

  private struct RefreshRunning: Error, CustomStringConvertible {
    let description = "new tokens are being requested"
  }

  private struct RevocationFailed: Error, CustomStringConvertible {
    let status: Int
    var description: String { "the provider answered \(status)" }
  }

  func run() async throws {
    await repeatUntilShutdown(every: interval, logger, "connections to trackers could not be looked after") { _ in
      try await look()
    }
  }

  private func look() async throws {
    let now = environment.clock.now
    for id in try await database.rows(EndingConnections(endedAfter: now - Self.revocationTime, limit: Self.batch)) {
      try await database.transaction { tx in
        try await tx.schedule(Job(.revokeTracker, "\(id)", at: now, key: "\(id)", ifScheduled: .isKept), with: jobs)
      }
    }
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
}
