import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity

extension Safety {
  /// Makes the caller and somebody invisible to each other ([ID-26], [C-10]).
  package func blockUser(_ call: BlockUserRequest, _ context: CallContext) async throws -> BlockedUser {
    let blocker = try context.accountID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let other = bad.other("user_id", call.userID, than: blocker)
    let blocked = try bad.all(other)
    return try await replays.once(call, context.requestKey(requestID)) { tx in
      // Locked, so that blocks and their events have an order and their number a limit.
      guard try await !tx.rows(LockPeople([blocker])).isEmpty else { throw Status.notAUser }
      guard let person = try await tx.first(PersonByID(blocked)) else { throw Status.noSuchPerson }
      if let earlier = try await tx.first(BlockTime(of: blocked, by: blocker)) {
        return BlockedUser(StoredBlock(person: person, blockedAt: earlier))
      }
      guard try await tx.first(CountBlocks(by: blocker)) ?? 0 < Blocking.mostBlocked else {
        throw Status.tooManyBlocked
      }
      let now = ambient.clock.now
      try await tx.execute(InsertBlock(of: blocked, by: blocker, now: now))
      try await events.publish(
        UserBlocked(
          blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: now.timestamp), in: tx)
      return BlockedUser(StoredBlock(person: person, blockedAt: now))
    }
  }
}

extension BlockedUser {
  init(_ stored: StoredBlock) {
    self.init(
      userID: stored.person.id.description, username: stored.person.username, blockTime: stored.blockedAt.timestamp)
  }
}

extension Violations {
  /// Somebody's id; `nil`, and noted, when it is none or the caller's own.
  mutating func other(_ field: String, _ text: String, than caller: AccountID) -> AccountID? {
    guard let id = require(field, AccountID(text), "This is nobody's id", "USER_ID_INVALID") else { return nil }
    if id == caller {
      add(field, "This cannot be done to oneself", "OWN_ACCOUNT")
      return nil
    }
    return id
  }
}
