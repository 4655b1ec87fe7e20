import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Blocks the sender of an invitation, and declines all of the sender's invitations ([ID-44], [ID-26]).
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation`, `SafetyRefusal`, `IdentityFailure`.
  package func blockInviter(of id: InvitationID, by invitee: UserID, _ tx: Transaction) async throws -> StoredBlock {
    guard let found = try await tx.first(InvitationTo(invitationID: id, userID: invitee, lapsedBefore: lapse)) else {
      throw GroupRefusal.noSuchInvitation
    }
    return try await safety.blockUser(found.inviterID, by: invitee, tx)
  }
}
