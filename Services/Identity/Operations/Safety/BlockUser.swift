import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension SafetyOperations {
  /// Blocks a user, unless the blocker has done so before ([ID-26], [C-10]). Open invitations of the blocked user to
  /// the blocker end ([ID-44]); those of the blocker are hidden from the blocked user.
  ///
  /// The transaction must not have locked an account before.
  /// - Throws: `SafetyRefusal`, `IdentityFailure`.
  package func blockUser(_ blocked: UserID, by blocker: UserID, _ tx: Transaction) async throws -> StoredBlock {
    // Locked, so that blocks and their events are ordered and their number stays within the limit.
    guard try await !tx.rows(LockUsers(userIDs: [blocker])).isEmpty else { throw IdentityFailure.noAccount }
    guard try await tx.first(LockedUser(userID: blocked)) != nil else { throw SafetyRefusal.noSuchUser }
    if let earlier = try await tx.first(BlockOf(blockerID: blocker, blockedID: blocked)) { return earlier }
    guard try await tx.first(CountBlocks(blockerID: blocker)) ?? 0 < Blocking.maxBlocked else {
      throw SafetyRefusal.tooManyBlocked
    }
    let now = environment.clock.now
    let insert = InsertBlock(blockerID: blocker, now: now, blockedID: blocked)
    guard let block = try await tx.first(insert) else { throw IdentityFailure.changedMeanwhile }
    try await tx.execute(
      EndInvitationsTo(
        now: now, blockerID: blocker, blockedID: blocked, lapsedBefore: Invitation.lapse(at: now)))
    let report = HasReported(reporterID: blocker, reportedID: blocked, since: now - Blocking.reportWindow)
    try await events.publish(
      UserBlocked(
        blockerUserID: blocker.description, blockedUserID: blocked.description, blockTime: now.timestamp,
        reported: try await tx.first(report) == true), in: tx)
    return block
  }
}
