import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingOperations

extension Locations {
  /// Stops sharing the caller's position with some groups; they keep the last one ([TR-1]).
  package func stopSharing(_ call: StopSharingRequest, _ context: CallContext) async throws -> StopSharingResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupIDs = bad.groupIDs(call.groupIds)
    let groups = try bad.all(groupIDs)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let seen = try await operations.stopSharing(with: groups, of: user, tx)
      return StopSharingResponse(members: seen.map { Member($0) })
    }
  }
}
