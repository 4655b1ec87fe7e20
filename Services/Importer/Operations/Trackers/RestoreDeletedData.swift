import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension TrackerOperations {
  /// Forgets what a user has deleted here of a tracker, and starts an import that brings it back ([IM-11]).
  ///
  /// - Throws: `TrackerRefusal`.
  package func restoreDeletedData(
    of user: UserID, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws -> ImportColumns {
    let found = try await lockedConnection(of: user, at: provider, tx)
    try await tx.execute(ForgetDeletedActivities(userID: user, provider: provider.id))
    try await tx.execute(ForgetDeletedProvider(userID: user, provider: provider.id))
    try await tx.execute(RestoreDeleted(connectionID: found.id))
    let connection = try await tx.first(LockConnection(userID: user, provider: provider.id)) ?? found
    return try await startImport(of: user, connection, at: provider, tx)
  }
}
