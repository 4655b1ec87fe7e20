import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import TTRPC
import TandemIdentity
import Timestamps

extension Invitations {
  /// Makes the caller a member of the group that an invitation is to ([ID-41], [ID-44]).
  package func acceptInvitation(
    _ call: AcceptInvitationRequest, _ context: CallContext
  ) async throws -> AcceptInvitationResponse {
    let invitee = try context.userID
    let order = try InvitationOrder(call.invitationID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      let (group, joinedAt) = try await operations.acceptInvitation(order.id, by: invitee, tx)
      return AcceptInvitationResponse(group: Group(group), joinTime: joinedAt.timestamp)
    }
  }
}
