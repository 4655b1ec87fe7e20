import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import ProviderAdapters

extension TrackerOperations {
  /// Ends an import of which all pages are stored.
  package func endImport(
    _ id: ImportID, _ work: ImportWork.Row, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws {
    let kinds = Set(provider.adapter.kinds.map(\.rawValue))
    // With tokens for nothing there is nothing that was granted.
    guard !kinds.isSubset(of: work.missingKinds) else { return try await endConsent(id, work, at: provider, tx) }
    // Of named activities alone nothing is known of what else there is.
    let isOfAll = work.streams != [ImportTransitions.namedActivities.name]
    _ = try await imports.finish(
      id, .succeeded, step: work.step, at: provider, syncedTo: isOfAll ? work.until : nil, tx)
  }

  /// Ends an import that cannot go on.
  package func failImport(
    _ id: ImportID, _ work: ImportWork.Row, _ failure: ImportFailure, at provider: ConfiguredProvider?,
    _ tx: Transaction
  ) async throws {
    _ = try await imports.finish(id, .failed, failure, step: work.step, at: provider, tx)
  }

  private func endConsent(
    _ id: ImportID, _ work: ImportWork.Row, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws {
    guard try await imports.finish(id, .failed, .consent, step: work.step, at: provider, tx) != nil,
      let row = try await tx.first(TokensOfConnection(connectionID: work.connectionID))
    else { return }
    _ = try await tx.first(RequireConsent(connectionID: work.connectionID, tokenVersion: row.tokenVersion))
  }
}
