import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension JourneyShares {
  /// Revokes a link of the caller.
  package func revokeShare(_ call: RevokeShareRequest, _ context: CallContext) async throws -> RevokeShareResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", ShareID(call.shareID), "This is not the id of a link", TrackingReason.shareIDInvalid)
    let id = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.revokeShare(id, of: user, tx)
      return RevokeShareResponse()
    }
  }
}
