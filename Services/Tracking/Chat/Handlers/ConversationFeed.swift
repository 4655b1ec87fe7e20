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
    static let presence = Work(rawValue: 4)
    static let all: Work = [.messages, .members, .presence]
  }

  var readers: [UInt64: ConversationReader] = [:]
  /// Up to where messages were read for the readers; `nil` until the first of them says where the conversation is.
  var position: ChatPosition?
  /// The version of the members when they were read last.
  var memberVersion: Int64?
  /// Who is known to be online; `nil` until the first reader says.
  var online: Set<UserID>?
  var readMarks: [UserID: Int64] = [:]
  var work: Work = []
  /// Whether a task is at work on it; it also does what is added meanwhile.
  var isBusy = false

  /// Takes over what the first reader found in the database.
  mutating func begin(at position: ChatPosition, memberVersion: Int64, online: Set<UserID>) {
    if self.position == nil { self.position = position }
    if self.memberVersion == nil { self.memberVersion = memberVersion }
    if self.online == nil { self.online = online }
    // What happened between that and now.
    work.formUnion([.messages, .presence])
  }
}
