import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Deletes a place of a user ([TR-15]).
  ///
  /// - Parameter etag: that of the place as the user read it; `nil` if that does not matter.
  package func deletePlace(
    _ id: PlaceID, of user: UserID, readAs etag: String?, _ tx: Transaction
  ) async throws {
    _ = try await lockedPlace(id, of: user, readAs: etag, tx)
    _ = try await tx.rows(DeletePlace(placeID: id), UncountPlace(userID: user))
  }
}
