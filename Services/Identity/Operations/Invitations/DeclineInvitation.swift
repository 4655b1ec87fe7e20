import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

extension GroupOperations {
  /// Declines an invitation to a user ([ID-44]).
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation`.
  package func declineInvitation(_ id: InvitationID, by invitee: UserID, _ tx: Transaction) async throws {
    let decline = DeclineInvitation(
      now: environment.clock.now, invitationID: id, userID: invitee, lapsedBefore: lapse)
    guard try await tx.first(decline) != nil else { throw GroupRefusal.noSuchInvitation }
  }
}
