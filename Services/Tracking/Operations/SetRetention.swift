import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Changes after how many days a user's positions and paths are deleted ([TR-13]).
  package func setRetention(to days: Int32, of user: UserID, _ tx: Transaction) async throws {
    guard try await trackers.locked(user, tx) != nil else { throw TrackingFailure.noAccount }
    try await tx.execute(SetRetention(days: days, userID: user))
  }
}
