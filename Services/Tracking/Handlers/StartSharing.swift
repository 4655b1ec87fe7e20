import FieldViolations
import TTRPC
import TandemTracking

extension Locations {
  /// Starts sharing the caller's position with some groups ([TR-1]).
  package func startSharing(_ call: StartSharingRequest, _ context: CallContext) async throws -> StartSharingResponse {
    let user = try context.userID
    var bad = Violations()
    let groupIDs = bad.groupIDs(call.groupIds)
    let groups = try bad.all(groupIDs)
    let members = try await change(groups, of: user) { tracker, _ in
      try tracker.startSharing(with: Set(groups), at: environment.clock.now)
    }
    return StartSharingResponse(members: members)
  }
}
