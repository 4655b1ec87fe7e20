import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TTRPC
import TandemEvents
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
      // Locked, so that blocks and their events are ordered and their number stays within the limit.
      guard try await !tx.rows(LockUsers([blocker])).isEmpty else { throw Status.notAUser }
      guard let user = try await tx.first(LockedUser(blocked)) else { throw Status.noSuchUser }
      if let earlier = try await tx.first(BlockTime(of: blocked, by: blocker)) {
        return BlockedUser(StoredBlock(user: user, blockedAt: earlier))
      }
      guard try await tx.first(CountBlocks(by: blocker)) ?? 0 < Blocking.maxBlocked else {
        throw Status.tooManyBlocked
      }
      let now = environment.clock.now
      try await tx.execute(InsertBlock(of: blocked, by: blocker, now: now))
      try await events.publish(
        UserBlocked(
          blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: now.timestamp), in: tx)
      return BlockedUser(StoredBlock(user: user, blockedAt: now))
    }
  }
}

extension BlockedUser {
  init(_ stored: StoredBlock) {
    self.init(
      userID: stored.user.id.description, username: stored.user.username, blockTime: stored.blockedAt.timestamp)
  }
}

extension Violations {
  /// Another user's id; `nil`, with a violation, when it is invalid or the caller's own.
  mutating func other(_ field: String, _ text: String, than caller: UserID) -> UserID? {
    guard let id = require(field, UserID(text), "This is nobody's id", "USER_ID_INVALID") else { return nil }
    if id == caller {
      add(field, "This cannot be done to oneself", "OWN_ACCOUNT")
      return nil
    }
    return id
  }
}
