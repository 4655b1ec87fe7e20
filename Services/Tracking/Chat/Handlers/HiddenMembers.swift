import ChatDomain
import Identifiers
import Postgres
import TandemChat
import TrackingStore

/// Members of a conversation who are not shown what the other does, because one has blocked the other ([C-10]): neither presence nor
/// typing nor read marks. Messages of a group are.
struct HiddenMembers: Sendable {
  private var pairs: Set<UserPair>

  /// None.
  init() { pairs = [] }

  init(_ blocks: [BlocksInConversation.Row]) {
    pairs = Set(blocks.compactMap { UserPair($0.blockerID, $0.blockedID) })
  }

  /// Whether neither is shown the other.
  func hides(_ one: UserID, from other: UserID) -> Bool {
    guard !pairs.isEmpty, let pair = UserPair(one, other) else { return false }
    return pairs.contains(pair)
  }

  /// The members whom a user sees otherwise with `later` than with these.
  func difference(from later: HiddenMembers, for user: UserID) -> [UserID] {
    pairs.symmetricDifference(later.pairs).compactMap {
      $0.first == user ? $0.second : $0.second == user ? $0.first : nil
    }
  }
}

extension Member {
  /// A member as the one who opens the conversation sees it.
  init(_ row: OpenedConversation.Row) {
    self.init(userID: row.userID.description)
    guard row.isSeen else { return }
    (online, readSequence) = (row.isOnline, row.readSequence)
  }

  /// A member as another one sees it.
  init(_ row: MembersOfConversation.Row, for reader: UserID, _ hidden: HiddenMembers) {
    self.init(userID: row.userID.description)
    guard !hidden.hides(row.userID, from: reader) else { return }
    (online, readSequence) = (row.isOnline, row.readSequence)
  }
}

extension Database {
  /// The members of a conversation, and which of them do not see each other: read behind the members, so that what changes meanwhile is
  /// found by their version.
  nonisolated(nonsending) func members(
    of id: ConversationID
  ) async throws -> (members: [MembersOfConversation.Row], hidden: HiddenMembers) {
    let members = try await rows(MembersOfConversation(conversationID: id))
    return (members, HiddenMembers(try await rows(BlocksInConversation(conversationID: id))))
  }
}
