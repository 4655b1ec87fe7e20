import Identifiers
import ImporterStore
import Postgres

extension ActivityOperations {
  /// Deletes what a provider reported by an id, because it is gone there; what other sources reported of it stays.
  package func deleteReport(
    _ externalID: String, by provider: String, of user: UserID, _ tx: Transaction
  ) async throws {
    try await lock(user, tx)
    let gone = try await tx.first(
      DeleteReportedSource(userID: user, provider: provider, externalID: externalID))
    guard let activity = gone else { return }
    if try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: [activity])).isEmpty {
      try await refresh([activity], of: user, tx)
    } else {
      try await publishRemoved([activity], of: user, tx)
    }
  }
}
