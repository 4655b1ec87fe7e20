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

  /// Declines all invitations to a user, or those of one inviter ([ID-44]).
  ///
  /// - Returns: how many there were.
  package func declineInvitations(
    from inviter: UserID?, by invitee: UserID, _ tx: Transaction
  ) async throws -> Int32 {
    try await tx.first(
      DeclineInvitations(now: environment.clock.now, userID: invitee, inviterID: inviter, lapsedBefore: lapse)) ?? 0
  }

  /// Withdraws an invitation to a group that the user is in ([ID-44]).
  ///
  /// - Throws: `GroupRefusal.noSuchInvitation`.
  package func withdrawInvitation(_ id: InvitationID, by member: UserID, _ tx: Transaction) async throws {
    let withdrawal = WithdrawInvitation(invitationID: id, lapsedBefore: lapse, userID: member)
    guard try await tx.first(withdrawal) != nil else { throw GroupRefusal.noSuchInvitation }
  }

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
