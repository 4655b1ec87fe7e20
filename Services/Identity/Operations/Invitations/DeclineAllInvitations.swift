import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Declines all invitations to a user, or those of one inviter ([ID-44]).
  ///
  /// - Returns: how many there were.
  package func declineAllInvitations(
    from inviter: UserID?, by invitee: UserID, _ tx: Transaction
  ) async throws -> Int32 {
    try await tx.first(
      DeclineInvitations(now: environment.clock.now, userID: invitee, inviterID: inviter, lapsedBefore: lapse)) ?? 0
  }
}
