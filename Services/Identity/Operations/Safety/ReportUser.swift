import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension SafetyOperations {
  /// Reports a user to the operators ([ID-26]).
  ///
  /// - Throws: `SafetyRefusal.noSuchUser`, `Throttled`.
  package func reportUser(
    _ reported: UserID, by reporter: UserID, _ report: UserReport, _ tx: Transaction
  ) async throws -> (id: ReportID, time: Instant) {
    try await throttles.count([.user(reporter, .report)], in: tx)
    guard try await tx.first(LockedUser(userID: reported)) != nil else { throw SafetyRefusal.noSuchUser }
    let (now, id): (Instant, ReportID) = (environment.clock.now, environment.newID())
    try await tx.execute(InsertReport(report, reportID: id, reportedID: reported, reporterID: reporter, now: now))
    try await tellBlock(of: reported, by: reporter, tx)
    return (id, now)
  }

  /// Publishes the event of a recent block again, as the blocker has reported the user; does nothing if there is none.
  private func tellBlock(of blocked: UserID, by blocker: UserID, _ tx: Transaction) async throws {
    let recent = RecentBlock(
      blockerID: blocker, blockedID: blocked, since: environment.clock.now - Blocking.reportWindow)
    guard let blockedAt = try await tx.first(recent) else { return }
    try await events.publish(
      UserBlocked(
        blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: blockedAt.timestamp,
        reported: true), in: tx)
  }
}
