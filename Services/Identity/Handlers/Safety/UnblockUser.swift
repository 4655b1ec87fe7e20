import FieldViolations
import Idempotency
import Identifiers
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps

extension Safety {
  /// Removes a block; has no effect if there is none ([ID-26]).
  package func unblockUser(_ call: UnblockUserRequest, _ context: CallContext) async throws -> UnblockUserResponse {
    let blocker = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    let blocked = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard try await !tx.rows(LockUsers(userIDs: [blocker])).isEmpty else { throw Status.notAUser }
      guard try await tx.first(DeleteBlock(blockerID: blocker, blockedID: blocked)) != nil else {
        return UnblockUserResponse()
      }
      try await events.publish(
        UserUnblocked(
          blockerUserID: blocker.description, blockedUserID: blocked.description,
          unblockTime: environment.clock.now.timestamp), in: tx)
      return UnblockUserResponse()
    }
  }
}
