import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Stops a user's alert ([TR-5]).
  package func stopSOS(of user: UserID, _ tx: Transaction) async throws -> JourneySeenBy.Row {
    let id = try await change(user, tx) { tracker in
      guard let id = tracker.journey?.id else { throw MemberRefusal.notInSOS }
      try tracker.stopSOS(at: environment.clock.now)
      return id
    }
    return try await journey(id, of: user, tx)
  }
}
