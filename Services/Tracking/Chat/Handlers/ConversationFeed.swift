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
    /// What members do that is told by signals alone.
    static let signals = Work(rawValue: 8)
    static let all: Work = [.messages, .members, .presence]
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
  /// Whose presence some readers were told otherwise than others: all are told of it when it was read again.
  var uncertain: Set<UserID> = []
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

  /// Takes over what a reader found in the database, if it is the first of the feed; otherwise it adds the work to bring the two to the same.
  ///
  /// Another reader that came later may have begun before: so what this one found may be earlier than what the feed has told the others.
  ///
  /// - Returns: up to where the feed has read for its readers, with what it has told of marks that the reader does not know.
  mutating func begin(
    at position: ChatPosition, memberVersion: Int64, _ members: [MembersOfConversation.Row], _ hidden: HiddenMembers
  ) -> (position: ChatPosition, readMarks: [UserID: Int64]) {
    let present = Set(members.filter(\.isOnline).map(\.userID))
    let marks = Dictionary(members.map { ($0.userID, $0.readSequence) }) { first, _ in first }
    guard let known = self.position else {
      (self.position, readMarks, online) = (position, marks, present)
      if self.memberVersion == nil { (self.memberVersion, self.hidden) = (memberVersion, hidden) }
      return (position, [:])
    }
    if known.lacks(position.sequence, position.revision) { work.insert(.messages) }
    if self.memberVersion != memberVersion { work.insert(.members) }
    let uncertain = present.symmetricDifference(online ?? [])
    if !uncertain.isEmpty {
      self.uncertain.formUnion(uncertain)
      work.insert(.presence)
    }
    return (known, readMarks.filter { user, mark in marks[user].map { $0 < mark } ?? false })
  }
}
