import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Marks groups as deleted: their rows go later, when nothing of their logs is left.
  package func markGroupsDeleted(_ groups: [GroupID], _ tx: Transaction) async throws {
    try await tx.execute(MarkGroupsDeleted(now: environment.clock.now, groupIDs: groups))
  }
}
