import Environment
import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres

/// The jobs that close sessions because a participant deleted the account ([C-9]) or blocked the other one ([C-10]), and that have profiles
/// be looked up again.
///
/// | session | account deletion | block |
/// |---|---|---|
/// | open | removed | stays; the two do not see it of each other |
/// | matched, before the start, no check-in | the other's, and open again; notified | the same: the blocker leaves |
/// | matched, later | fails at once; nobody is barred | stays, and is judged as always |
/// | over | stays without the user | stays |
///
/// Who leaves by a block bars themselves as by a cancellation, unless they report the other at the same time ([MA-7]).
package struct SessionCleanup: Sendable {
  /// Sessions in one transaction: each is locked until its end.
  private static let batch = 20
  /// Rows of one table that one transaction removes or changes: a small part of its time.
  package static let rows: Int64 = 2_000
  /// Matched sessions that one transaction looks at, for blocks between their participants.
  private static let window = 2_000

  private let operations: SessionOperations
  private let clock: any WallClock

  package init(operations: SessionOperations, clock: any WallClock) {
    (self.operations, self.clock) = (operations, clock)
  }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.cleanUpUsers) { _, _, tx in try await cleanUp(tx) },
      .inDatabase(.partBlockedUsers) { pair, _, tx in try await part(pair, tx) },
      .inDatabase(.partAllBlockedUsers) { after, _, tx in try await partAll(after: after, tx) },
      .inDatabase(.forgetProfiles) { after, _, tx in try await forgetProfiles(after: after, tx) },
    ]
  }

  // MARK: Missed profiles

  /// Forgets the profiles of some users, and schedules a further run for those after them.
  private func forgetProfiles(after text: String, _ tx: Transaction) async throws {
    let after = UserID(text) ?? UserID(UUID7(high: 0, low: 0))
    guard let last = try await operations.forgetProfiles(after: after, limit: Self.rows, tx) else { return }
    try await operations.scheduleForgetting(after: last, tx)
  }

  // MARK: Account deletion

  /// Cleans up some sessions of one user who deleted the account, and schedules a further run for the rest.
  private func cleanUp(_ tx: Transaction) async throws {
    guard let user = try await tx.first(UserToCleanUp()) else { return }
    let sessions = try await tx.rows(SessionsOfDeletedAccount(userID: user, limit: Int64(Self.batch)))
    let offers = try await tx.rows(OffersTo(userID: user, limit: Int64(Self.batch)))
    try await tx.execute(LockSessions(sessionIDs: sessions + offers))
    for id in sessions { try await operations.closeSession(id, of: user, tx) }
    for id in offers { try await operations.releaseOffer(of: id, from: user, tx) }
    if sessions.count < Self.batch, offers.count < Self.batch, try await removeRows(of: user, tx) {
      // A session that was still matched when the account was deleted may have led to a bar since.
      try await tx.execute(DeleteBarsOfUser(userID: user))
      try await tx.execute(MarkCleanedUp(userID: user))
    }
    try await operations.scheduleCleanup(tx)
  }

  /// Removes some of what grows with a user who takes part in no session any more.
  ///
  /// - Returns: whether nothing is left.
  private func removeRows(of user: UserID, _ tx: Transaction) async throws -> Bool {
    let (participations, received) = try await tx.rows(
      DeleteParticipationsOfUser(userID: user, limit: Self.rows), DeleteFeedbackOnUser(userID: user, limit: Self.rows))
    // A batch of searches' news may have been under way when the account was deleted.
    let (given, notices) = try await tx.rows(
      ForgetFeedbackAuthor(userID: user, limit: Self.rows), DeleteSearchNoticesOfUser(userID: user, limit: Self.rows))
    return [participations.count, received.count, given.count, notices.count].allSatisfy { $0 < Self.rows }
  }

  // MARK: Blocks

  private func part(_ payload: String, _ tx: Transaction) async throws {
    guard let parting = Parting(payload: payload) else { throw JobRefusal("its payload names no two users") }
    let (blocker, blocked) = (parting.blocker, parting.blocked)
    // Users before sessions, and both in the order of ids, as everywhere.
    try await tx.execute(LockUsers(userIDs: [blocker, blocked]))
    try await operations.excuseBlocker(parting, tx)
    let offers = try await tx.rows(OffersBetween(userID: blocker, otherID: blocked, limit: Int64(Self.batch)))
    let sessions = try await tx.rows(
      SessionsBetween(blockerID: blocker, blockedID: blocked, now: clock.now, limit: Int64(Self.batch)))
    try await tx.execute(LockSessions(sessionIDs: offers + sessions))
    for id in offers {
      for user in [blocker, blocked] { try await operations.releaseOffer(of: id, from: user, tx) }
    }
    var parted = 0
    for id in sessions {
      if try await operations.partUsers(parting, in: id, tx) { parted += 1 }
    }
    // Sessions that stay as they are, because a participant has checked in, are not looked at again.
    if sessions.count == Self.batch, parted > 0 { try await operations.scheduleParting([parting], tx) }
  }

  private func partAll(after text: String, _ tx: Transaction) async throws {
    let now = clock.now
    let after = SessionID(text) ?? oldest(at: now)
    let last = try await tx.first(MatchFurtherOn(now: now, afterSessionID: after, skipped: Int64(Self.window)))
    let found = try await tx.rows(
      BlockedMatches(now: now, afterSessionID: after, untilSessionID: last, limit: Int64(Self.batch)))
    for match in found {
      // No user is barred, as it is not known when the block was made.
      let parting = Parting(of: match.blockedID, by: match.blockerID, .none)
      try await operations.partUsers(parting, in: match.sessionID, tx)
    }
    guard let next = found.count == Self.batch ? found.last?.sessionID : last else { return }
    try await operations.scheduleParting(after: next, tx)
  }

  /// The least id of a session that may still be to come: it was posted within the horizon.
  private func oldest(at now: Instant) -> SessionID {
    SessionID(UUID7(high: UInt64(max(0, (now - Slot.horizon).wholeMilliseconds)) << 16, low: 0))
  }
}
