import Idempotency
import IdentityOperations
import TTRPC
import TandemIdentity

extension Invitations {
  /// Blocks the sender of an invitation to the caller, and declines all of the sender's invitations ([ID-44], [ID-26]).
  package func blockInviter(_ call: BlockInviterRequest, _ context: CallContext) async throws -> BlockedUser {
    let invitee = try context.userID
    let order = try InvitationOrder(call.invitationID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      BlockedUser(try await operations.blockInviter(of: order.id, by: invitee, tx))
    }
  }
}
