import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Postgres

extension TrackerOperations {
  /// Ends a connection; its tokens are revoked by a job ([IM-11]).
  ///
  /// - Throws: `TrackerRefusal.notConnected`.
  package func disconnect(_ user: UserID, from provider: String, _ tx: Transaction) async throws {
    guard let connection = try await tx.first(LockConnection(userID: user, provider: provider)) else {
      throw TrackerRefusal.notConnected
    }
    if let running = try await tx.first(RunningImport(userID: user, provider: provider)) {
      _ = try await imports.finish(running, .cancelled, at: nil, tx)
    }
    try await tx.cancel(.syncTracker, key: "\(connection.id)")
    try await tx.execute(DropChangedActivities(connectionID: connection.id))
    if connection.state == .needsConsent {
      // There is nothing left to revoke.
      try await tx.execute(DeleteConnection(connectionID: connection.id))
    } else {
      let now = environment.clock.now
      try await tx.execute(EndConnection(now: now, connectionID: connection.id))
      try await tx.schedule(Job(.revokeTracker, "\(connection.id)", at: now, key: "\(connection.id)"), with: jobs)
    }
  }
}
