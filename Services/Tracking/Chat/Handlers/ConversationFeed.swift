import ChatDomain
import Identifiers
import TrackingStore

/// What a replica knows of a conversation that its streams have open.
struct ConversationFeed: Sendable {
  /// What is to be looked at.
  struct Work: OptionSet, Sendable {
    let rawValue: Int
    static let messages = Work(rawValue: 1)
    static let members = Work(rawValue: 2)
    /// What members do that is told by signals alone.
    static let signals = Work(rawValue: 4)
    static let all: Work = [.messages, .members]
  }

  /// Another one for each feed, also of one conversation: what is at work on one that is gone leaves the next one alone.
  let number: UInt64
  var readers: [UInt64: ConversationReader] = [:]
  /// Up to where messages were read for the readers; `nil` until the first of them says where the conversation is.
  var position: ChatPosition?
  /// The version of the members when they were read last.
  var memberVersion: Int64?
  /// Who is known to be online; `nil` until the first reader says.
  var online: Set<UserID>?
  /// Up to where each member has read; empty until the first reader says.
  var readMarks: [UserID: Int64] = [:]
  /// Which members are not shown what each other does.
  var hidden = HiddenMembers()
  /// Of whom signals said that they are typing, and up to where they have read: told behind the messages that were sent before.
  var typing: Set<UserID> = []
  var newReadMarks: [UserID: Int64] = [:]
  var work: Work = []
  /// Whether a task is at work on it; it also does what is added meanwhile.
  var isBusy = false

  /// Takes over what the first reader found in the database.
  mutating func begin(
    at position: ChatPosition, memberVersion: Int64, _ members: [OpenedConversation.Row], _ hidden: HiddenMembers
  ) {
    guard self.position == nil else { return }
    self.position = position
    readMarks = Dictionary(members.map { ($0.userID, $0.readSequence) }) { first, _ in first }
    online = Set(members.filter(\.isOnline).map(\.userID))
    if self.memberVersion == nil { (self.memberVersion, self.hidden) = (memberVersion, hidden) }
  }
}
