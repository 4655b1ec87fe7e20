import Expiry
import IdentityDomain
import Identifiers

extension InsertInvitation {
  /// An invitation that a member makes.
  ///
  /// - Parameter email: the invitee's address as the inviter wrote it.
  package init(
    _ id: InvitationID, of invitee: UserID, to group: GroupID, by inviter: UserID, email: EmailAddress, now: Instant
  ) {
    self.init(
      invitationID: id, groupID: group, inviteeID: invitee, inviterID: inviter, email: email.spelling, now: now,
      lapsedBefore: Invitation.lapse(at: now), declinedBefore: Invitation.pardon(at: now))
  }
}

extension DeleteLapsedInvitations: ExpiryStatement {
  package static let kept = Lifetimes.invitation
}

extension DeleteOldDeclines: ExpiryStatement {
  package static let kept = Lifetimes.declinedInvitation
}
