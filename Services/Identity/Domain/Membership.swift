import Identifiers
public import VisibleText

public enum GroupNameLimit: TextLimit {
  public static let name = "The group's name"
  /// Code points.
  public static let maxLength = 80
}

/// A group's name ([ID-40]).
public typealias GroupName = VisibleText<GroupNameLimit>

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
