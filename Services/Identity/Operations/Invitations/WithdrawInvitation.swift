import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Withdraws an invitation to a group that the user is in ([ID-44]).
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation`.
  package func withdrawInvitation(_ id: InvitationID, by member: UserID, _ tx: Transaction) async throws {
    let withdrawal = WithdrawInvitation(invitationID: id, lapsedBefore: lapse, userID: member)
    guard try await tx.first(withdrawal) != nil else { throw GroupRefusal.noSuchInvitation }
  }
}
