import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension SafetyOperations {
  /// Removes a block; has no effect if there is none ([ID-26]).
  ///
  /// - Throws: `IdentityFailure.noAccount`.
  package func unblockUser(_ blocked: UserID, by blocker: UserID, _ tx: Transaction) async throws {
    guard try await !tx.rows(LockUsers(userIDs: [blocker])).isEmpty else { throw IdentityFailure.noAccount }
    guard try await tx.first(DeleteBlock(blockerID: blocker, blockedID: blocked)) != nil else { return }
    try await events.publish(
      UserUnblocked(
        blockerUserID: blocker.description, blockedUserID: blocked.description,
        unblockTime: environment.clock.now.timestamp), in: tx)
  }
}
