import FieldViolations
import Idempotency
import Identifiers
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Safety {
  /// Blocks a user: the caller and they become invisible to each other ([ID-26], [C-10]).
  package func blockUser(_ call: BlockUserRequest, _ context: CallContext) async throws -> BlockedUser {
    let blocker = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let other = bad.other("user_id", call.userID, than: blocker)
    let blocked = try bad.all(other)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      BlockedUser(try await operations.blockUser(blocked, by: blocker, tx))
    }
  }
}

extension BlockedUser {
  init(_ stored: StoredBlock) {
    self.init(
      userID: stored.userID.description, username: stored.username, blockTime: stored.blockedAt.timestamp)
  }
}

extension Violations {
  /// Another user's id; `nil`, with a violation, when it is invalid or the caller's own.
  mutating func other(_ field: String, _ text: String, than caller: UserID) -> UserID? {
    guard let id = require(field, UserID(text), "This is no user id", IdentityReason.userIDInvalid) else { return nil }
    if id == caller {
      add(field, "This cannot be done to oneself", IdentityReason.ownAccount)
      return nil
    }
    return id
  }
}
