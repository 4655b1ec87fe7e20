import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Starts sharing a user's position with some groups ([TR-1]).
  ///
  /// - Returns: the user as each of them sees them then, in their order.
  package func startSharing(
    with groups: [GroupID], of user: UserID, _ tx: Transaction
  ) async throws -> [MembersSeen.Row] {
    try await change(user, in: groups, tx) { tracker in
      try tracker.startSharing(with: Set(groups), at: environment.clock.now)
    }
  }
}
