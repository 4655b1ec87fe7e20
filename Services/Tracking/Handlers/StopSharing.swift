import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingStore

extension Locations {
  /// Stops sharing the caller's position with some groups; they keep the last one ([TR-1]).
  package func stopSharing(_ call: StopSharingRequest, _ context: CallContext) async throws -> StopSharingResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupIDs = bad.groupIDs(call.groupIds)
    let groups = try bad.all(groupIDs)
    return try await change(call, context.requestKey(requestID), groups, of: user) { tracker, tx in
      let now = environment.clock.now
      try tracker.stopSharing(with: Set(groups), at: now)
      _ = try await tx.rows(
        KeepLastPositions(now: now, userID: user, groupIDs: groups), HideJourney(userID: user, groupIDs: groups))
    } answering: {
      StopSharingResponse(members: $0)
    }
  }
}
