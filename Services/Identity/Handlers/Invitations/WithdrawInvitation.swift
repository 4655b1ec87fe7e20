import Idempotency
import IdentityOperations
import TTRPC
import TandemIdentity

extension Invitations {
  /// Withdraws an invitation to one of the caller's groups ([ID-44]).
  package func withdrawInvitation(
    _ call: WithdrawInvitationRequest, _ context: CallContext
  ) async throws -> WithdrawInvitationResponse {
    let member = try context.userID
    let order = try InvitationOrder(call.invitationID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      try await operations.withdrawInvitation(order.id, by: member, tx)
      return WithdrawInvitationResponse()
    }
  }
}
