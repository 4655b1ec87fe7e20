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
  /// When the member is to arrive on that journey; `nil` if none.
  public let arrival: ExpectedArrival?
  /// The place that the member reached or left; `nil` for any other change.
  public let visit: PlaceVisit?

  public init(
    _ kind: ChangeKind, of userID: UserID, in groupID: GroupID, state: MemberState, warnings: Warnings = [],
    position: Fix? = nil, journeyID: JourneyID? = nil, arrival: ExpectedArrival? = nil, visit: PlaceVisit? = nil
  ) {
    self.groupID = groupID
    self.userID = userID
    self.kind = kind
    self.state = state
    self.warnings = warnings
    self.position = position
    self.journeyID = journeyID
    self.arrival = arrival
    self.visit = visit
  }
}

/// When a user is to arrive.
public struct ExpectedArrival: Sendable, Hashable {
  /// As the user said, which alone decides whether the user is late.
  public let promisedAt: Instant
  /// If the user goes on as in the last minutes; `nil` when it cannot be said.
  public let estimatedAt: Instant?

  public init(promisedAt: Instant, estimatedAt: Instant?) {
    (self.promisedAt, self.estimatedAt) = (promisedAt, estimatedAt)
  }
}

/// What a group sees of an arrival at a place, or a departure from it.
public struct PlaceVisit: Sendable, Hashable {
  /// What the member calls the place.
  public let name: String
  /// When it was.
  public let at: Instant

  public init(name: String, at: Instant) { (self.name, self.at) = (name, at) }
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
