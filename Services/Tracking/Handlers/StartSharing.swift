import FieldViolations
import Idempotency
import TTRPC
import TandemTracking

extension Locations {
  /// Starts sharing the caller's position with some groups ([TR-1]).
  package func startSharing(_ call: StartSharingRequest, _ context: CallContext) async throws -> StartSharingResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupIDs = bad.groupIDs(call.groupIds)
    let groups = try bad.all(groupIDs)
    return try await change(call, context.requestKey(requestID), groups, of: user) { tracker, _ in
      try tracker.startSharing(with: Set(groups), at: environment.clock.now)
    } answering: {
      StartSharingResponse(members: $0)
    }
  }
}
