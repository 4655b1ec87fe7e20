import Idempotency
import IdentityOperations
import TTRPC
import TandemIdentity

extension Invitations {
  /// Declines an invitation to the caller ([ID-44]).
  package func declineInvitation(
    _ call: DeclineInvitationRequest, _ context: CallContext
  ) async throws -> DeclineInvitationResponse {
    let invitee = try context.userID
    let order = try InvitationOrder(call.invitationID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      try await operations.declineInvitation(order.id, by: invitee, tx)
      return DeclineInvitationResponse()
    }
  }
}
