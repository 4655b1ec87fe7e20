import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingOperations

extension Locations {
  /// Starts sharing the caller's position with some groups ([TR-1]).
  package func startSharing(_ call: StartSharingRequest, _ context: CallContext) async throws -> StartSharingResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupIDs = bad.groupIDs(call.groupIds)
    let groups = try bad.all(groupIDs)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let seen = try await operations.startSharing(with: groups, of: user, tx)
      return StartSharingResponse(members: seen.map { Member($0) })
    }
  }
}
