import CatalogStore
import Postgres

extension GymOperations {
  /// Stores operators' reports of how full gyms are ([CA-4]).
  ///
  /// - Returns: how many are stored, how many older than what was stored before, and the gyms that there are not, in the order of the reports.
  package func reportUsage(
    _ reports: [HeadCount], _ tx: Transaction
  ) async throws -> (stored: Int, outdated: Int, unknown: [GymID]) {
    let known = Set(try await tx.rows(KnownGyms(gymIDs: reports.map(\.gym))))
    let stored = try await tx.rows(StoreUsage(reports))
    return (stored.count, known.count - stored.count, reports.map(\.gym).filter { !known.contains($0) })
  }
}
