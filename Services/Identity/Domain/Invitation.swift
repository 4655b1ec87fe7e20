import Identifiers

/// The rules of invitations to groups ([ID-44]).
public enum Invitation {
  /// The maximum number of open invitations of an inviter.
  public static let maxOpen = 20

  /// What decides whether a member can invite a user.
  public struct Facts: Sendable, Hashable {
    /// Whether the user is a member already.
    public var isMember: Bool
    /// The number of members that the group has.
    public var members: Int
    /// Whether the user has an open invitation to the group, from whatever member.
    public var isInvited: Bool
    /// Whether the user declined an invitation to the group within ``Lifetimes/declinedInvitation``.
    public var hasDeclined: Bool
    /// The number of open invitations of the inviter.
    public var open: Int

    public init(
      isMember: Bool = false, members: Int = 1, isInvited: Bool = false, hasDeclined: Bool = false, open: Int = 0
    ) {
      self.isMember = isMember
      self.members = members
      self.isInvited = isInvited
      self.hasDeclined = hasDeclined
      self.open = open
    }
  }

  /// Why a user cannot be invited to a group.
  public enum Refusal: Error, Sendable, Hashable {
    /// The user is a member already.
    case alreadyMember
    /// The group has the maximum number of members.
    case groupFull
    /// The user has an open invitation to the group.
    case alreadyInvited
    /// The user declined an invitation to the group not long ago.
    case invitedRecently
    /// The inviter has the maximum number of open invitations.
    case tooManyOpen
  }

  /// Decides whether a member can invite a user to a group.
  ///
  /// - Returns: `nil` when the user can be invited.
  public static func refusal(_ facts: Facts) -> Refusal? {
    if facts.isMember { return .alreadyMember }
    if facts.members >= Membership.maxMembers { return .groupFull }
    if facts.isInvited { return .alreadyInvited }
    if facts.hasDeclined { return .invitedRecently }
    return facts.open >= maxOpen ? .tooManyOpen : nil
  }

  /// The time by which an invitation must have been made, or before, to have lapsed by now.
  public static func lapse(at now: Instant) -> Instant { now - Lifetimes.invitation }

  /// The time by which an invitation must have been declined, or before, for another one to be possible now.
  public static func pardon(at now: Instant) -> Instant { now - Lifetimes.declinedInvitation }
}
