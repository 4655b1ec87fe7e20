public import ProtobufC
import TandemEvents

/// What followers choose events by.
public struct EventTopic: Hashable, Sendable {
  /// As it travels.
  public let name: String

  /// - Parameter name: 1 to 60 of a-z, 0-9, `_` and `.`, beginning with the service that tells it, if one alone does.
  public init(_ name: String) {
    precondition(Self.isName(name), "\(name) is no topic")
    self.name = name
  }

  static func isName(_ text: String) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: ".")
      }
  }
}

/// A message that can be published: its contract says to which topic it belongs and what its key is.
public protocol PublishedEvent: ProtobufMessage {
  /// Where it is told.
  static var topic: EventTopic { get }
  /// What it happened to; 1 to 200 bytes. The events of one key come in the order in which they happened.
  var eventKey: String { get }
}

extension EventTopic {
  /// What becomes of accounts.
  public static let accounts = EventTopic("identity.accounts")
  /// What becomes of sessions.
  public static let sessions = EventTopic("identity.sessions")
  /// Who keeps whom away.
  public static let blocks = EventTopic("identity.blocks")
  /// What becomes of groups, and who is in them.
  public static let groups = EventTopic("identity.groups")
  /// What users are to be told; every service has it.
  public static let notifications = EventTopic("notifications")
  /// What becomes of users' books.
  public static let books = EventTopic("catalog.books")
  /// What becomes of training sessions.
  public static let trainingSessions = EventTopic("matching.sessions")
  /// What becomes of books on their way to borrowers and back.
  public static let loans = EventTopic("lending.books")
  /// What imports came to.
  public static let imports = EventTopic("importer.imports")
  /// What is known of users' activities.
  public static let activities = EventTopic("importer.activities")
}

extension AccountDeleted: PublishedEvent {
  /// Accounts.
  public static var topic: EventTopic { .accounts }
  /// The user's id.
  public var eventKey: String { userID }
}

extension AccountNamed: PublishedEvent {
  /// Accounts.
  public static var topic: EventTopic { .accounts }
  /// The user's id.
  public var eventKey: String { userID }
}

extension BookListed: PublishedEvent {
  /// Books.
  public static var topic: EventTopic { .books }
  /// The book's id.
  public var eventKey: String { bookID }
}

extension BookDeleted: PublishedEvent {
  /// Books.
  public static var topic: EventTopic { .books }
  /// The book's id.
  public var eventKey: String { bookID }
}

extension BookStatusChanged: PublishedEvent {
  /// Loans.
  public static var topic: EventTopic { .loans }
  /// The book's id.
  public var eventKey: String { bookID }
}

extension ReturnCommented: PublishedEvent {
  /// Loans.
  public static var topic: EventTopic { .loans }
  /// The book's id.
  public var eventKey: String { bookID }
}

extension CheckedIn: PublishedEvent {
  /// Training sessions.
  public static var topic: EventTopic { .trainingSessions }
  /// The training session's id.
  public var eventKey: String { sessionID }
}

extension SessionRevoked: PublishedEvent {
  /// Sessions.
  public static var topic: EventTopic { .sessions }
  /// The session's id.
  public var eventKey: String { sessionID }
}

extension UserBlocked: PublishedEvent {
  /// Blocks.
  public static var topic: EventTopic { .blocks }
  /// Both ids, the blocker's first.
  public var eventKey: String { "\(blockerUserID)/\(blockedUserID)" }
}

extension UserUnblocked: PublishedEvent {
  /// Blocks.
  public static var topic: EventTopic { .blocks }
  /// Both ids, the blocker's first.
  public var eventKey: String { "\(blockerUserID)/\(blockedUserID)" }
}

extension GroupCreated: PublishedEvent {
  /// Groups.
  public static var topic: EventTopic { .groups }
  /// The group's id.
  public var eventKey: String { groupID }
}

extension GroupRenamed: PublishedEvent {
  /// Groups.
  public static var topic: EventTopic { .groups }
  /// The group's id.
  public var eventKey: String { groupID }
}

extension GroupMemberAdded: PublishedEvent {
  /// Groups.
  public static var topic: EventTopic { .groups }
  /// The group's id.
  public var eventKey: String { groupID }
}

extension GroupMemberRemoved: PublishedEvent {
  /// Groups.
  public static var topic: EventTopic { .groups }
  /// The group's id.
  public var eventKey: String { groupID }
}

extension GroupDeleted: PublishedEvent {
  /// Groups.
  public static var topic: EventTopic { .groups }
  /// The group's id.
  public var eventKey: String { groupID }
}

extension NotificationRequested: PublishedEvent {
  /// What users are to be told.
  public static var topic: EventTopic { .notifications }
  /// The subject: what is told of it comes in the order in which it happened.
  public var eventKey: String { subject.isEmpty ? notificationKey : subject }
}

extension SessionSucceeded: PublishedEvent {
  /// Training sessions.
  public static var topic: EventTopic { .trainingSessions }
  /// The session's id.
  public var eventKey: String { sessionID }
}

extension TrackerImported: PublishedEvent {
  /// Imports.
  public static var topic: EventTopic { .imports }
  /// The import's id.
  public var eventKey: String { importID }
}

extension ActivityStored: PublishedEvent {
  /// Activities.
  public static var topic: EventTopic { .activities }
  /// The activity's id.
  public var eventKey: String { activityID }
}

extension ActivityRemoved: PublishedEvent {
  /// Activities.
  public static var topic: EventTopic { .activities }
  /// The activity's id.
  public var eventKey: String { activityID }
}
