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
    let lock = LockedMember(now: now, userID: user)
    var found = try await first(lock)
    if found == nil {
      try await execute(EnterUser(userID: user))
      found = try await first(lock)
    }
    guard let found, found.mayWrite else { throw Status.notAUser }
    return found
  }
}
