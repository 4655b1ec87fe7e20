import Environment
import Events
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps
import UserCalls

/// Blocks users, and publishes an event for each block ([ID-26], [C-10]).
struct UserBlocks: Sendable {
  let events: Outbox
  let clock: any WallClock

  /// Blocks a user, unless the blocker has done so before. Open invitations of the blocked user to
  /// the blocker end ([ID-44]); those of the blocker are hidden from the blocked user.
  ///
  /// The transaction must not have locked an account before.
  func block(_ blocked: UserID, by blocker: UserID, in tx: Transaction) async throws -> BlockedUser {
    // Locked, so that blocks and their events are ordered and their number stays within the limit.
    guard try await !tx.rows(LockUsers(userIDs: [blocker])).isEmpty else { throw Status.notAUser }
    guard try await tx.first(LockedUser(userID: blocked)) != nil else { throw Status.noSuchUser }
    if let earlier = try await tx.first(BlockOf(blockerID: blocker, blockedID: blocked)) { return BlockedUser(earlier) }
    guard try await tx.first(CountBlocks(blockerID: blocker)) ?? 0 < Blocking.maxBlocked else {
      throw Status.tooManyBlocked
    }
    let now = clock.now
    let insert = InsertBlock(blockerID: blocker, now: now, blockedID: blocked)
    guard let block = try await tx.first(insert) else { throw Status.concurrentChange }
    try await tx.execute(
      EndInvitationsTo(
        now: now, blockerID: blocker, blockedID: blocked, lapsedBefore: Invitation.lapse(at: now)))
    let report = HasReported(reporterID: blocker, reportedID: blocked, since: now - Blocking.reportWindow)
    try await events.publish(
      UserBlocked(
        blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: now.timestamp,
        reported: try await tx.first(report) == true), in: tx)
    return BlockedUser(block)
  }

  /// Publishes the event of a recent block again, as the blocker has reported the user; does nothing if there is none.
  func report(_ blocked: UserID, by blocker: UserID, in tx: Transaction) async throws {
    let recent = RecentBlock(blockerID: blocker, blockedID: blocked, since: clock.now - Blocking.reportWindow)
    guard let blockedAt = try await tx.first(recent) else { return }
    try await events.publish(
      UserBlocked(
        blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: blockedAt.timestamp,
        reported: true), in: tx)
  }
}
