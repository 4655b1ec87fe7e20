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
  /// Of which members readers were told otherwise than the others, by the readers' numbers: they are told again.
  var toldOtherwise: [UInt64: ToldOtherwise] = [:]
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

  struct ToldOtherwise: Sendable, Equatable {
    var presence: Set<UserID> = []
    /// Whose read mark is further than the reader knows.
    var readMarks: Set<UserID> = []
  }

  /// Takes over what a reader found in the database, if it is the first of the feed; otherwise it adds the work to bring the two to the same.
  ///
  /// Another reader that came later may have begun before: so what this one found may be earlier than what the feed has told the others.
  ///
  /// - Parameter reader: its number.
  /// - Returns: up to where the feed has read for its readers; `nil` if the members have changed since, so that the reader is to read again.
  mutating func begin(_ reader: UInt64, _ found: FoundConversation) -> ChatPosition? {
    if let memberVersion, found.memberVersion < memberVersion { return nil }
    guard let known = position else {
      (position, readMarks, online) = (found.position, found.readMarks, found.online)
      if memberVersion == nil { (memberVersion, hidden) = (found.memberVersion, found.hidden) }
      return found.position
    }
    if known.lacks(found.position.sequence, found.position.revision) { work.insert(.messages) }
    if memberVersion != found.memberVersion { work.insert(.members) }
    let otherwise = ToldOtherwise(
      presence: found.online.symmetricDifference(online ?? []),
      readMarks: Set(readMarks.filter { user, mark in found.readMarks[user].map { $0 < mark } ?? false }.keys))
    if otherwise != ToldOtherwise() {
      toldOtherwise[reader] = otherwise
      work.insert(.presence)
    }
    return known
  }
}

/// What a reader found of a conversation in the database, at one moment.
struct FoundConversation: Sendable {
  let position: ChatPosition
  let memberVersion: Int64
  let online: Set<UserID>
  let readMarks: [UserID: Int64]
  let hidden: HiddenMembers

  /// - Parameter row: that of any of the members.
  init(_ row: MembersOfConversation.Row, _ members: [MembersOfConversation.Row]) {
    position = ChatPosition(sequence: row.lastSequence, revision: row.lastRevision)
    memberVersion = row.memberVersion
    online = Set(members.filter(\.isOnline).map(\.userID))
    readMarks = Dictionary(members.map { ($0.userID, $0.readSequence) }) { first, _ in first }
    hidden = HiddenMembers(among: members)
  }
}
