import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension TrackerOperations {
  /// Cancels an import that has not ended ([IM-4]); one that has stays as it is.
  ///
  /// - Throws: `TrackerRefusal.noSuchImport`.
  package func cancelImport(_ id: ImportID, of user: UserID, _ tx: Transaction) async throws -> ImportColumns {
    guard let found = try await tx.first(ImportOfUser(importID: id, userID: user)) else {
      throw TrackerRefusal.noSuchImport
    }
    return try await imports.finish(id, .cancelled, at: nil, tx) ?? found
  }
}
