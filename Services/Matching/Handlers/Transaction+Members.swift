import Identifiers
import MatchingStore
import Postgres
import TTRPC

extension Transaction {
  /// Locks a user's row, which is created if necessary: the user's own requests wait for each other, and no account deletion is stored until
  /// the transaction ends.
  ///
  /// - Returns: what is known of the user.
  @discardableResult
  func enter(_ user: UserID, at now: Instant) async throws -> LockedMember.Row {
    var found = try await lockedMember(user, at: now)
    if found == nil {
      try await execute(EnterUser(userID: user))
      found = try await lockedMember(user, at: now)
    }
    guard let found, found.mayWrite else { throw Status.notAUser }
    return found
  }

  /// Locks a user's row; `nil` if there is none.
  ///
  /// The statement runs twice, in one round trip. The first run waits for the lock, and reads the bars as they were
  /// before the wait: one that the transaction holding the lock imposed is seen only by the second run.
  func lockedMember(_ user: UserID, at now: Instant) async throws -> LockedMember.Row? {
    let lock = LockedMember(now: now, userID: user)
    return try await rows(lock, lock).1.first
  }
}
