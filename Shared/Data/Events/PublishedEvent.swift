public import ProtobufC
import TandemEvents

/// What followers select events by.
public struct EventTopic: Hashable, Sendable {
  /// The name in messages and in the database.
  public let name: String

  /// - Parameter name: 1 to 60 of a-z, 0-9, `_` and `.`, beginning with the service that publishes it, if only one
  ///   does.
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

/// A message that can be published: its contract determines its topic and key.
public protocol PublishedEvent: ProtobufMessage {
  /// The topic it is published on.
  static var topic: EventTopic { get }
  /// The id of what it happened to; 1 to 200 bytes. The events of one key are received in the order in which they
  /// happened.
  var eventKey: String { get }
}

extension EventTopic {
  /// Changes of accounts.
  public static let accounts = EventTopic("identity.accounts")
  /// Sessions that ended.
  public static let sessions = EventTopic("identity.sessions")
  /// Blocks between users.
  public static let blocks = EventTopic("identity.blocks")
  /// Changes of groups and their members.
  public static let groups = EventTopic("identity.groups")
  /// Notifications for users; every service publishes this topic.
  public static let notifications = EventTopic("notifications")
  /// Changes of users' books.
  public static let books = EventTopic("catalog.books")
  /// Changes of training sessions.
  public static let trainingSessions = EventTopic("matching.sessions")
  /// Loans of books, from the request to the return.
  public static let loans = EventTopic("lending.books")
  /// Results of imports.
  public static let imports = EventTopic("importer.imports")
  /// Changes of users' activities.
  public static let activities = EventTopic("importer.activities")
}

extension AccountDeleted: PublishedEvent {
  public static var topic: EventTopic { .accounts }
  public var eventKey: String { userID }
}

extension AccountNamed: PublishedEvent {
  public static var topic: EventTopic { .accounts }
  public var eventKey: String { userID }
}

extension BookListed: PublishedEvent {
  public static var topic: EventTopic { .books }
  public var eventKey: String { bookID }
}

extension BookDeleted: PublishedEvent {
  public static var topic: EventTopic { .books }
  public var eventKey: String { bookID }
}

extension BookStatusChanged: PublishedEvent {
  public static var topic: EventTopic { .loans }
  public var eventKey: String { bookID }
}

extension ReturnCommented: PublishedEvent {
  public static var topic: EventTopic { .loans }
  public var eventKey: String { bookID }
}

extension CheckedIn: PublishedEvent {
  public static var topic: EventTopic { .trainingSessions }
  public var eventKey: String { sessionID }
}

extension SessionRevoked: PublishedEvent {
  public static var topic: EventTopic { .sessions }
  public var eventKey: String { sessionID }
}

extension UserBlocked: PublishedEvent {
  public static var topic: EventTopic { .blocks }
  /// Both ids, the blocker's first.
  public var eventKey: String { "\(blockerUserID)/\(blockedUserID)" }
}

extension UserUnblocked: PublishedEvent {
  public static var topic: EventTopic { .blocks }
  /// Both ids, the blocker's first.
  public var eventKey: String { "\(blockerUserID)/\(blockedUserID)" }
}

extension GroupCreated: PublishedEvent {
  public static var topic: EventTopic { .groups }
  public var eventKey: String { groupID }
}

extension GroupRenamed: PublishedEvent {
  public static var topic: EventTopic { .groups }
  public var eventKey: String { groupID }
}

extension GroupMemberAdded: PublishedEvent {
  public static var topic: EventTopic { .groups }
  public var eventKey: String { groupID }
}

extension GroupMemberRemoved: PublishedEvent {
  public static var topic: EventTopic { .groups }
  public var eventKey: String { groupID }
}

extension GroupDeleted: PublishedEvent {
  public static var topic: EventTopic { .groups }
  public var eventKey: String { groupID }
}

extension NotificationRequested: PublishedEvent {
  public static var topic: EventTopic { .notifications }
  /// The subject, so that notifications about it are received in the order in which it changed.
  public var eventKey: String { subject.isEmpty ? notificationKey : subject }
}

extension SessionSucceeded: PublishedEvent {
  public static var topic: EventTopic { .trainingSessions }
  public var eventKey: String { sessionID }
}

extension TrackerImported: PublishedEvent {
  public static var topic: EventTopic { .imports }
  public var eventKey: String { importID }
}

extension ActivityStored: PublishedEvent {
  public static var topic: EventTopic { .activities }
  public var eventKey: String { activityID }
}

extension ActivityRemoved: PublishedEvent {
  public static var topic: EventTopic { .activities }
  public var eventKey: String { activityID }
}
