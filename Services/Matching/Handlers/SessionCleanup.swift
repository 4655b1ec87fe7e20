import Environment
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

/// Closes sessions because a participant deleted the account ([C-9]) or blocked the other one ([C-10]).
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
  private let transitions: SessionTransitions

  /// Sessions in one transaction: each is locked until its end.
  private static let batch = 20
  /// Rows of one table that one transaction removes or changes: a small part of its time.
  package static let rows: Int64 = 2_000
  /// Matched sessions that one transaction looks at, for blocks between their participants.
  private static let window = 2_000

  package init(transitions: SessionTransitions) { self.transitions = transitions }

  private var clock: any WallClock { transitions.clock }
  private var jobs: Jobs { transitions.jobs }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.cleanUpUsers) { _, _, tx in try await cleanUp(tx) },
      .inDatabase(.partBlockedUsers) { pair, _, tx in try await part(pair, tx) },
      .inDatabase(.partAllBlockedUsers) { after, _, tx in try await partAll(after: after, tx) },
      .inDatabase(.forgetProfiles) { after, _, tx in try await forgetProfiles(after: after, tx) },
    ]
  }

  /// Schedules the job that closes the sessions of users who deleted their accounts.
  package func scheduleCleanup(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.cleanUpUsers, "", at: clock.now, key: "users"), with: jobs)
  }

  /// Schedules the jobs that part two users each.
  package func scheduleParting(_ partings: [Parting], _ tx: Transaction) async throws {
    let last = Dictionary(partings.map { ($0.key, $0) }) { $1 }.values.sorted { $0.key < $1.key }
    try await tx.schedule(
      each: last.map { Job(.partBlockedUsers, $0.payload, at: clock.now, key: $0.key) }, with: jobs)
  }

  /// Schedules the job that parts all users of whom one has blocked the other.
  package func scheduleParting(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.partAllBlockedUsers, "", at: clock.now, key: "users"), with: jobs)
  }

  /// Schedules the job that has all profiles be looked up again.
  package func scheduleForgetting(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.forgetProfiles, "", at: clock.now, key: "users"), with: jobs)
  }

  // MARK: Missed profiles

  /// Forgets the profiles of some users, and schedules a further run for those after them.
  private func forgetProfiles(after text: String, _ tx: Transaction) async throws {
    let after = UserID(text) ?? UserID(UUID7(high: 0, low: 0))
    guard let last = try await tx.first(ForgetProfiles(afterUserID: after, limit: Self.rows)) else { return }
    try await tx.schedule(Job(.forgetProfiles, "\(last)", at: clock.now, key: "users"), with: jobs)
  }

  // MARK: Account deletion

  /// Cleans up some sessions of one user who deleted the account, and schedules a further run for the rest.
  private func cleanUp(_ tx: Transaction) async throws {
    guard let user = try await tx.first(UserToCleanUp()) else { return }
    let sessions = try await tx.rows(SessionsOfDeletedAccount(userID: user, limit: Int64(Self.batch)))
    let offers = try await tx.rows(OffersTo(userID: user, limit: Int64(Self.batch)))
    try await tx.execute(LockSessions(sessionIDs: sessions + offers))
    for id in sessions {
      try await close(try await transitions.locked(id, tx), of: user, tx)
      try await tx.execute(ForgetParticipant(userID: user, sessionID: id))
    }
    for id in offers { try await transitions.offers.release(id, from: user, tx) }
    if sessions.count < Self.batch, offers.count < Self.batch, try await removeRows(of: user, tx) {
      // A session that was still matched when the account was deleted may have led to a bar since.
      try await tx.execute(DeleteBarsOfUser(userID: user))
      try await tx.execute(MarkCleanedUp(userID: user))
    }
    try await scheduleCleanup(tx)
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

  private func close(_ session: StoredSession, of user: UserID, _ tx: Transaction) async throws {
    switch session.state {
    case .open: try await transitions.remove(session, of: user, tx)
    case .matched: try await part(session, by: user, orElse: .fail, tx)
    case .successful, .failed, .lapsed, .cancelled: break
    }
  }

  // MARK: Blocks

  private func part(_ payload: String, _ tx: Transaction) async throws {
    guard let parting = Parting(payload: payload) else { throw JobRefusal("its payload names no two users") }
    let (blocker, blocked) = (parting.blocker, parting.blocked)
    // Users before sessions, and both in the order of ids, as everywhere.
    try await tx.execute(LockUsers(userIDs: [blocker, blocked]))
    if case .excused(let moment) = parting.consequence {
      try await tx.execute(
        LiftBarsOfBlock(
          now: try await transitions.trustedNow(tx), blockerID: blocker, blockedAt: moment, blockedID: blocked))
    }
    let offers = try await tx.rows(OffersBetween(userID: blocker, otherID: blocked, limit: Int64(Self.batch)))
    let sessions = try await tx.rows(
      SessionsBetween(blockerID: blocker, blockedID: blocked, now: clock.now, limit: Int64(Self.batch)))
    try await tx.execute(LockSessions(sessionIDs: offers + sessions))
    for id in offers {
      for user in [blocker, blocked] { try await transitions.offers.release(id, from: user, tx) }
    }
    var parted = 0
    for id in sessions {
      let session = try await transitions.locked(id, tx)
      guard try await part(session, by: blocker, orElse: .leave, tx) else { continue }
      try await bar(parting, session, tx)
      parted += 1
    }
    // Sessions that stay as they are, because a participant has checked in, are not looked at again.
    if sessions.count == Self.batch, parted > 0 { try await scheduleParting([parting], tx) }
  }

  /// Bars a blocker who has left a session by it as a cancellation at that time would have.
  private func bar(_ parting: Parting, _ session: StoredSession, _ tx: Transaction) async throws {
    // Who was matched after the block has not left by it.
    guard case .bars(let blockedAt) = parting.consequence, session.updatedAt <= blockedAt else { return }
    let moment = min(blockedAt, try await transitions.trustedNow(tx))
    let cancellation = try Cancellation.decide(session.facts, by: parting.blocker, at: moment)
    try await transitions.bar(parting.blocker, for: cancellation, of: session.id, at: moment, tx)
  }

  private func partAll(after text: String, _ tx: Transaction) async throws {
    let now = clock.now
    let after = SessionID(text) ?? oldest(at: now)
    let last = try await tx.first(MatchFurtherOn(now: now, afterSessionID: after, skipped: Int64(Self.window)))
    let found = try await tx.rows(
      BlockedMatches(now: now, afterSessionID: after, untilSessionID: last, limit: Int64(Self.batch)))
    for match in found {
      try await part(try await transitions.locked(match.sessionID, tx), by: match.blockerID, orElse: .leave, tx)
    }
    guard let next = found.count == Self.batch ? found.last?.sessionID : last else { return }
    try await tx.schedule(Job(.partAllBlockedUsers, "\(next)", at: now, key: "users"), with: jobs)
  }

  /// The least id of a session that may still be to come: it was posted within the horizon.
  private func oldest(at now: Instant) -> SessionID {
    SessionID(UUID7(high: UInt64(max(0, (now - Slot.horizon).wholeMilliseconds)) << 16, low: 0))
  }

  /// What becomes of a matched session that has begun.
  private enum Begun {
    case fail
    case leave
  }

  /// Takes a user out of a matched session.
  ///
  /// - Returns: whether anything changed.
  @discardableResult
  private func part(
    _ session: StoredSession, by user: UserID, orElse begun: Begun, _ tx: Transaction
  ) async throws -> Bool {
    let facts = session.facts
    guard facts.state == .matched, facts.hasParticipant(user), let other = facts.other(than: user) else { return false }
    if facts.checkedIn.isEmpty, clock.now < facts.slot.start {
      try await transitions.leave(session, user, to: other, tx)
      return true
    }
    guard begun == .fail else { return false }
    try await tx.execute(FailMatchedSession(now: clock.now, sessionID: session.id))
    try await transitions.events.publish(
      SessionFailed(sessionID: session.id.description, absentUserIds: [user.description], barred: false), in: tx)
    try await transitions.notify(
      [other], "sessions/\(session.id)/ended", of: session.id,
      .sessionEnded(.init(startTime: facts.slot.start.timestamp, gym: session.gym.name)), tx)
    return true
  }
}
