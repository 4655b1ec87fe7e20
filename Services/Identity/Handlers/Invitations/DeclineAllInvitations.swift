import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import TTRPC
import TandemIdentity

extension Invitations {
  /// Declines all invitations to the caller, or those of one inviter ([ID-44]).
  package func declineAllInvitations(
    _ call: DeclineAllInvitationsRequest, _ context: CallContext
  ) async throws -> DeclineAllInvitationsResponse {
    let invitee = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let inviter =
      call.inviterUserID.isEmpty
      ? nil
      : bad.require(
        "inviter_user_id", UserID(call.inviterUserID), "This is no user's id", IdentityReason.userIDInvalid)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      DeclineAllInvitationsResponse(
        declinedCount: try await operations.declineAllInvitations(from: inviter, by: invitee, tx))
    }
  }
}
