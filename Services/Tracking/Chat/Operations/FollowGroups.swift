import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Groups of one statement, and conversations that one transaction begins.
  private static let maxGroups = 500

  /// Makes the members of groups' conversations those that the groups have now, with the notices of it, in the transaction that has changed them
  /// ([TR-30], [TR-34]).
  package func followGroups(_ groups: Set<ConversationID>, _ tx: Transaction) async throws {
    let ids = groups.sorted()
    for start in stride(from: 0, to: ids.count, by: Self.maxGroups) {
      let some = Array(ids[start..<min(start + Self.maxGroups, ids.count)])
      _ = try await tx.rows(
        BeginGroupConversations(now: clock.now, conversationIDs: some), LockConversations(conversationIDs: some))
      let (left, joined) = try await tx.rows(
        RemoveFormerMembers(conversationIDs: some, now: clock.now), AddNewMembers(conversationIDs: some, now: clock.now)
      )
      tx.afterCommit { [signals] in
        for id in Set(left + joined) {
          signals.send(.members(id))
          signals.send(.presence(id))
        }
      }
    }
  }

  /// Makes the members of all groups' conversations those that the groups have, after changes of theirs were missed.
  package func followAllGroups(_ tx: Transaction) async throws {
    try await followGroups(Set(try await tx.rows(GroupsWithOtherMembers())), tx)
  }

  /// Begins the conversations of some groups that have none: their members joined before there was a chat, or while a version without one served
  /// ([TR-30]).
  ///
  /// - Returns: whether more may be left.
  package func beginMissingConversations(_ tx: Transaction) async throws -> Bool {
    let some = try await tx.rows(GroupsWithoutConversation(limit: Int64(Self.maxGroups)))
    try await followGroups(Set(some), tx)
    return some.count == Self.maxGroups
  }
}
