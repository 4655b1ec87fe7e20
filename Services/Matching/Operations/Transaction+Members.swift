import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

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
    guard let found, found.mayWrite else { throw MatchingFailure.noAccount }
    return found
  }

  /// Locks a user's row; `nil` if there is none.
  ///
  /// The lock is waited for by a statement of its own, in the same round trip: one that also reads the bars would read
  /// them as they were before the wait, without one that the transaction holding the lock imposed.
  func lockedMember(_ user: UserID, at now: Instant) async throws -> LockedMember.Row? {
    try await rows(LockUser(userID: user), LockedMember(now: now, userID: user)).1.first
  }
}

extension Applicant {
  /// The user as of the transaction that has locked the row.
  func updated(by row: LockedMember.Row) -> Applicant {
    Applicant(id: id, gender: row.gender ?? gender, level: row.level ?? level, barredUntil: row.barEndsAt)
  }
}
