/// What the members of a group see of a member; always one of a pair of user and group.
public enum MemberState: String, Sendable, CaseIterable {
  /// Nothing is shared, or nothing has arrived for a minute.
  case inactive = "INACTIVE"
  /// A position is shared.
  case active = "ACTIVE"
  /// On a journey.
  case routing = "ROUTING"
  /// On a journey, and late, standing still or offline.
  case warning = "WARNING"
  /// In distress.
  case sos = "SOS"
}

/// Why a member's state is WARNING; in SOS that the member is offline.
public struct Warnings: OptionSet, Sendable, Hashable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// No position has arrived for a minute ([TR-10]).
  public static let offline = Warnings(rawValue: 1)
  /// The positions of some time are at one place ([TR-8]).
  public static let standingStill = Warnings(rawValue: 2)
  /// The promised time has passed ([TR-9]); it stays until the journey ends.
  public static let late = Warnings(rawValue: 4)
}

/// What is recorded.
public enum JourneyKind: String, Sendable {
  case journey = "JOURNEY"
  case sos = "SOS"
}

/// How a user travels.
public enum TravelMode: String, Sendable, CaseIterable {
  case walking = "WALKING"
  case cycling = "CYCLING"
  case driving = "DRIVING"
  case transit = "TRANSIT"
}

/// How a journey or an alert ended.
public enum JourneyOutcome: String, Sendable {
  case onTime = "ON_TIME"
  case late = "LATE"
  case stopped = "STOPPED"
  case sos = "SOS"
}

/// What a group's change is about.
public enum ChangeKind: String, Sendable {
  /// The position alone.
  case position = "POSITION"
  /// The state, the warnings or the journey.
  case state = "STATE"
  /// The member is new.
  case joined = "JOINED"
  /// The member has left.
  case left = "LEFT"
  /// What the member sees of the others has changed, because of a block; of ``everyone``: what all members see.
  case visibility = "VISIBILITY"
  /// The member arrived at a place; nothing else changed.
  case placeReached = "PLACE_REACHED"
  /// The member left a place; nothing else changed.
  case placeLeft = "PLACE_LEFT"
}
