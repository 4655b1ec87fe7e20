import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension TrackerOperations {
  /// Imports that a user may begin of a provider, and the time that they count for.
  private static let (quota, quotaWindow): (Int64, Duration) = (20, .seconds(3_600))

  /// Starts an import of what is new, as the user wishes ([IM-4]).
  ///
  /// - Throws: `TrackerRefusal`.
  package func startImport(
    of user: UserID, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws -> ImportColumns {
    try await startImport(of: user, lockedConnection(of: user, at: provider, tx), at: provider, tx)
  }

  func startImport(
    of user: UserID, _ connection: ConnectionColumns, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws -> ImportColumns {
    // All users share what a provider allows: no user takes all of it.
    let count = try await tx.first(
      CountImports(
        userID: user, provider: provider.id, counted: Self.quota,
        begunAfter: environment.clock.now - Self.quotaWindow))
    guard (count ?? 0) < Self.quota else { throw TrackerRefusal.tooManyImports(Self.quotaWindow) }
    if let begun = try await imports.begin(of: user, connection, at: provider, by: .user, tx) { return begun }
    guard let running = try await tx.first(RunningImport(userID: user, provider: provider.id)) else {
      // It ended between the two statements; an import at this moment would bring nothing else.
      throw TrackerRefusal.unavailable(after: .zero)
    }
    throw TrackerRefusal.importRunning(running)
  }
}
