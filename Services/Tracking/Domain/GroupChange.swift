import Identifiers

/// Something that the members of a group see change ([TR-4]).
public struct GroupChange: Sendable {
  public let groupID: GroupID
  public let userID: UserID
  public let kind: ChangeKind
  /// The state after it.
  public let state: MemberState
  public let warnings: Warnings
  /// The position that the group sees after it; `nil` if none.
  public let position: Fix?
  /// The journey or alert that the group sees the member on; `nil` if none.
  public let journeyID: JourneyID?

  public init(
    _ kind: ChangeKind, of userID: UserID, in groupID: GroupID, state: MemberState, warnings: Warnings = [],
    position: Fix? = nil, journeyID: JourneyID? = nil
  ) {
    self.groupID = groupID
    self.userID = userID
    self.kind = kind
    self.state = state
    self.warnings = warnings
    self.position = position
    self.journeyID = journeyID
  }
}

/// A change with its number.
public struct NumberedChange: Sendable {
  /// Counts the changes of the group, from 1 and without gaps.
  public let sequence: Int64
  public let change: GroupChange

  public init(_ sequence: Int64, _ change: GroupChange) { (self.sequence, self.change) = (sequence, change) }
}

extension UserID {
  /// In a change of what is seen: all members of the group.
  public static let everyone = UserID(UUID7(high: 0, low: 0))
}
