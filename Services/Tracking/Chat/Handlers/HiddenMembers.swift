import ChatDomain
import ChatOperations
import Identifiers
import Postgres
import TandemChat
import TrackingStore

/// Members of a conversation who are not shown what the other does, because one has blocked the other ([C-10]): neither presence nor
/// typing nor read marks, and messages only folded.
struct HiddenMembers: Sendable {
  private var pairs: Set<UserPair>

  /// None.
  init() { pairs = [] }

  init(among members: [MembersOfConversation.Row]) {
    pairs = Set(members.flatMap { member in member.blockedIDs.compactMap { UserPair(member.userID, $0) } })
  }

  /// Whether neither is shown the other.
  func hides(_ one: UserID, from other: UserID) -> Bool {
    guard !pairs.isEmpty, let pair = UserPair(one, other) else { return false }
    return pairs.contains(pair)
  }

  /// The members whom a user is not shown.
  func all(from user: UserID) -> Set<UserID> {
    Set(pairs.compactMap { $0.other(than: user) })
  }

  /// The members whom a user sees otherwise with `later` than with these.
  func difference(from later: HiddenMembers, for user: UserID) -> [UserID] {
    pairs.symmetricDifference(later.pairs).compactMap { $0.other(than: user) }
  }
}

extension Member {
  /// A member as another one sees it.
  init(_ row: MembersOfConversation.Row, for reader: UserID, _ hidden: HiddenMembers) {
    self.init(userID: row.userID.description)
    guard !hidden.hides(row.userID, from: reader) else { return }
    (online, readSequence) = (row.isOnline, row.readSequence)
  }
}

extension Database {
  /// Those whom messages name and the reader is not shown ([C-10]), also such as are no longer members.
  nonisolated(nonsending) func hidden(
    from reader: UserID, of messages: some Sequence<StoredMessage>
  ) async throws -> Set<UserID> {
    let others = Set(messages.flatMap { $0.others(than: reader) })
    guard !others.isEmpty else { return [] }
    return Set(try await rows(HiddenAmong(userIDs: others.sorted(), userID: reader)))
  }
}
