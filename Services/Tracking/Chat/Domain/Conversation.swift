public import Identifiers

public enum ConversationKind: String, Sendable, Hashable, CaseIterable {
  case group = "GROUP"
  case direct = "DIRECT"
}

/// The two users of a direct conversation ([TR-30]), in the order of their ids, so that a pair has one conversation, whichever of them begins it.
public struct UserPair: Sendable, Hashable {
  public let first: UserID
  public let second: UserID

  /// `nil` for a user alone.
  public init?(_ one: UserID, _ other: UserID) {
    guard one != other else { return nil }
    (first, second) = one < other ? (one, other) : (other, one)
  }

  /// The other one of the two; `nil` for a user who is neither.
  public func other(than user: UserID) -> UserID? { first == user ? second : second == user ? first : nil }
}

/// What the service reports in a group's conversation ([TR-31]).
public enum SystemNotice: String, Sendable, Hashable, CaseIterable {
  case joined = "JOINED"
  case left = "LEFT"

  /// What follows the user's name.
  public var text: String {
    switch self {
    case .joined: "joined the group"
    case .left: "left the group"
    }
  }
}

/// What the other members of a group are told of a member's connection ([TR-31]).
public enum PresenceText {
  public static let online = "connected to the group"
  public static let offline = "disconnected from the group"
}
