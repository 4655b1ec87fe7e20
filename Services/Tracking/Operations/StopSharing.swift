import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Stops sharing a user's position with some groups; they keep the last one ([TR-1]).
  ///
  /// - Returns: the user as each of them sees them then, in their order.
  package func stopSharing(
    with groups: [GroupID], of user: UserID, _ tx: Transaction
  ) async throws -> [MembersSeen.Row] {
    try await change(user, in: groups, tx) { tracker in
      let now = environment.clock.now
      try tracker.stopSharing(with: Set(groups), at: now)
      _ = try await tx.rows(
        KeepLastPositions(now: now, userID: user, groupIDs: groups), HideJourney(userID: user, groupIDs: groups))
    }
  }
}
