import Identifiers

/// A group's name: 1 to 80 characters on one line ([ID-40]).
public struct GroupName: Sendable, Hashable {
  /// The error message for an invalid name.
  public static let refusal = "The group's name must have 1 to 80 characters"
  private static let lengths = 1...80

  /// The name without surrounding white space.
  public let text: String

  /// The name, or `nil` when it is empty after trimming, too long, or contains control characters.
  ///
  /// Length is counted in code points, since one letter can carry any number of combining marks.
  public init?(_ typed: String) {
    let end = typed.lastIndex { !$0.isWhitespace }.map { typed.index(after: $0) } ?? typed.startIndex
    let name = String(typed[..<end].drop { $0.isWhitespace })
    guard Self.lengths.contains(name.unicodeScalars.count), name.unicodeScalars.allSatisfy(Self.isShown) else {
      return nil
    }
    text = name
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

/// The rules of groups ([ID-40] to [ID-42]).
public enum Membership {
  /// The maximum number of members of a group. A database constraint enforces the same.
  public static let maxMembers = 200
  /// The maximum number of groups that a user is in.
  public static let maxGroups = 200

  /// Why a user cannot join a group.
  public enum JoinRefusal: Error, Sendable, Hashable {
    /// The group has the maximum number of members.
    case groupFull
    /// The user is in the maximum number of groups.
    case tooManyGroups
  }

  /// Decides whether a user can join a group, by accepting an invitation or by creating it ([ID-40], [ID-44]).
  ///
  /// - Parameters:
  ///   - members: the number of members that the group has.
  ///   - groups: the number of groups that the user is in; open invitations do not count.
  /// - Returns: `nil` when the user can join.
  public static func refusal(members: Int, groups: Int) -> JoinRefusal? {
    if members >= maxMembers { return .groupFull }
    return groups >= maxGroups ? .tooManyGroups : nil
  }

  /// Whether the group is deleted when one of its members leaves or is removed: only with the last one ([ID-42]).
  public static func isDeleted(withOneOf members: Int) -> Bool { members <= 1 }
}

/// Which users see the contact information in a profile ([ID-23]).
public enum ContactVisibility: String, Sendable, Hashable, CaseIterable {
  case everyone = "EVERYONE"
  case groupsInCommon = "GROUPS_IN_COMMON"
  case nobody = "NOBODY"

  /// Whether a viewer sees the e-mail address and phone number of a profile.
  ///
  /// - Parameter sharesGroup: whether the two are members of a group.
  public func shows(to viewer: UserID, of owner: UserID, sharesGroup: Bool) -> Bool {
    if viewer == owner { return true }
    return switch self {
    case .everyone: true
    case .groupsInCommon: sharesGroup
    case .nobody: false
    }
  }
}
