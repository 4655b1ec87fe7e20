import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension Operators {
  /// Deletes an account, with the same effect as DeleteAccount ([ID-13], [C-9]).
  package func deleteUser(_ call: DeleteUserRequest, _ context: CallContext) async throws -> DeleteUserResponse {
    let order = try UserOrder(call.userID, requestID: call.requestID)
    try await deletion.removePushes(of: order.account, in: database)
    return try await idempotency.execute(call, context.requestKey(order.requestID)) { tx in
      // The lock order is that of DeleteAccount.
      _ = try await tx.first(LockProfile(userID: order.account))
      try await reminders.clear(order.account, in: tx)
      guard let locked = try await tx.first(LockedAccount(userID: order.account)) else { throw Status.noSuchUser }
      let now = try await deletion.remove(locked, by: context.method.fullName, in: tx)
      return DeleteUserResponse(deleteTime: now.timestamp)
    }
  }

  /// The present record of an account.
  func record(of account: UserID, in tx: Transaction) async throws -> TandemIdentity.UserRecord {
    guard let found = try await tx.first(UserByID(now: environment.clock.now, userID: account)) else {
      throw Status.noSuchUser
    }
    return TandemIdentity.UserRecord(found)
  }
}

/// A validated request of an operator about one account.
struct UserOrder {
  let account: UserID
  let requestID: UUID7?

  init(_ userID: String, requestID: String) throws {
    var bad = Violations()
    self.requestID = bad.requestID(requestID)
    let named = bad.require("user_id", UserID(userID), "This is no user id", IdentityReason.userIDInvalid)
    account = try bad.all(named)
  }
}
