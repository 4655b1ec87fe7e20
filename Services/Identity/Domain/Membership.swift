/// A group's name: 1 to 80 characters on one line ([ID-40]).
public struct GroupName: Sendable, Hashable {
  /// What a refusal says.
  public static let refusal = "The group's name must have 1 to 80 characters"
  private static let lengths = 1...80

  /// The name without white space around it.
  public let text: String

  /// The name, or `nil` when nothing is left of it, it is too long, or it contains control characters.
  ///
  /// Characters are code points: of marks that combine, one letter could have any number.
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
  /// Members of one group. The database's constraint says the same.
  public static let maxMembers = 200
  /// Groups that one user is in.
  public static let maxGroups = 200

  /// Why somebody is not added.
  public enum AdditionRefusal: Error, Sendable, Hashable {
    /// They are in the group.
    case alreadyMember
    /// The group has as many members as it can.
    case groupFull
    /// They are in as many groups as they can be.
    case tooManyGroups
  }

  /// Decides whether somebody becomes a member ([ID-41]).
  ///
  /// - Parameters:
  ///   - members: how many the group has.
  ///   - groups: how many groups the user is in.
  /// - Returns: `nil` when they do.
  public static func refusal(isMember: Bool, members: Int, groups: Int) -> AdditionRefusal? {
    if isMember { return .alreadyMember }
    if members >= maxMembers { return .groupFull }
    return groups >= maxGroups ? .tooManyGroups : nil
  }

  /// Whether a group goes with a member who leaves or is removed: it does with its last ([ID-42]).
  public static func isDeleted(withOneOf members: Int) -> Bool { members <= 1 }
}

/// Who sees how to reach somebody ([ID-23]).
public enum ContactVisibility: String, Sendable, Hashable, CaseIterable {
  case everyone = "EVERYONE"
  case groupsInCommon = "GROUPS_IN_COMMON"
  case nobody = "NOBODY"

  /// Who looks at a profile.
  public enum Viewer: Sendable, Hashable {
    /// The user whose it is.
    case owner
    /// Somebody who is in one of the user's groups.
    case fellowMember
    /// Anybody else who is logged in.
    case user
  }

  /// Whether the viewer sees e-mail address and phone number.
  public func admits(_ viewer: Viewer) -> Bool {
    switch (self, viewer) {
    case (_, .owner), (.everyone, _), (.groupsInCommon, .fellowMember): true
    case (.groupsInCommon, .user), (.nobody, _): false
    }
  }
}
