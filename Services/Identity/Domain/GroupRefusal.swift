/// Why something is not done in a group, or with an invitation to one; see also ``Membership/JoinRefusal`` and ``Invitation/Refusal``.
public enum GroupRefusal: Error, Sendable, Hashable, CaseIterable {
  /// There is no such group, or the user is not in it ([ID-41]).
  case notAMember
  /// The other user is not in the group ([ID-42]).
  case noSuchMember
  /// There is none that is open, or it is another user's ([ID-44]).
  case noSuchInvitation
  /// No user has the address, or its owner blocks the caller ([ID-41]).
  case unknownEmail
  /// The group was renamed since it was read ([C-11]).
  case renamedMeanwhile
}
