import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Postgres

extension TrackerOperations {
  /// Begins an import of a connection, unless one runs; the next one is scheduled in any case.
  package func syncTracker(
    _ id: ConnectionID, by cause: ImportCause, bringing extent: ImportTransitions.Extent = .everything,
    _ tx: Transaction
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

  /// The imports of all users of a provider are begun within this time.
  private static let spread: Duration = .seconds(600)

  /// Schedules imports of connections soon, apart from each other.
  package func scheduleSyncs(of connections: [ConnectionID], _ tx: Transaction) async throws {
    let now = environment.clock.now
    try await tx.schedule(
      each: connections.map { id in
        Job(.syncTracker, "\(id)", at: now + Self.spread * environment.chance, key: "\(id)")
      }, with: jobs)
  }
}
