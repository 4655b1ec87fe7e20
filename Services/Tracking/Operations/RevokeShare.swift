import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Revokes a link of a user ([TR-14]).
  package func revokeShare(_ id: ShareID, of user: UserID, _ tx: Transaction) async throws {
    let revoke = RevokeShare(userID: user, shareID: id, now: environment.clock.now)
    guard try await tx.first(revoke) != nil else { throw ShareRefusal.noSuchShare }
  }
}
