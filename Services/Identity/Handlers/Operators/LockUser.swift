import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity

extension Operators {
  /// Locks an account: ends all its sessions and refuses logins until it is unlocked.
  package func lockUser(_ call: LockUserRequest, _ context: CallContext) async throws -> TandemIdentity.UserRecord {
    let order = try UserOrder(call.userID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      if try await tx.first(SetAccountLock(lockedAt: environment.clock.now, userID: order.account)) != nil {
        try await endedSessions.endAll(of: order.account, in: tx)
        try await log.note(.lockedByOperator, of: order.account, by: context.origin, in: tx)
      }
      return try await record(of: order.account, in: tx)
    }
  }

  /// Unlocks an account: removes an operator's lock, and one caused by wrong passwords ([ID-10]).
  package func unlockUser(_ call: UnlockUserRequest, _ context: CallContext) async throws -> TandemIdentity.UserRecord {
    let order = try UserOrder(call.userID, requestID: call.requestID)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      if try await tx.first(SetAccountLock(lockedAt: nil, userID: order.account)) != nil {
        try await log.note(.unlockedByOperator, of: order.account, by: context.origin, in: tx)
      }
      let answer = try await record(of: order.account, in: tx)
      try await tx.execute(ForgetThrottle(.passwords(of: order.account)))
      return answer
    }
  }
}
