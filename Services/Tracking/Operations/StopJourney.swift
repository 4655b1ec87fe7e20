import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Ends a user's journey before its destination ([TR-6]).
  ///
  /// - Parameter groups: those for which it ends; none for all.
  package func stopJourney(
    for groups: [GroupID], of user: UserID, _ tx: Transaction
  ) async throws -> JourneySeenBy.Row {
    let id = try await change(user, tx) { tracker in
      let journey = try tracker.openJourney(seenBy: groups)
      try tracker.stopJourney(for: groups.isEmpty ? nil : Set(groups), at: environment.clock.now)
      if tracker.journey != nil { try await tx.execute(HideJourney(userID: user, groupIDs: groups)) }
      return journey.id
    }
    return try await journey(id, of: user, tx)
  }
}
