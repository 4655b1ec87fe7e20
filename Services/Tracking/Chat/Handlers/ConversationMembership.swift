import Environment
import ChatDomain
import Identifiers
import Postgres
import TrackingStore

/// Has the conversations of groups follow the groups' members ([TR-30], [TR-34]).
package struct ConversationMembership: Sendable {
  private let signals: ChatSignals
  private let clock: any WallClock

  /// Groups of one statement.
  private static let batch = 500

  package init(signals: ChatSignals, clock: any WallClock) { (self.signals, self.clock) = (signals, clock) }

  /// Makes the members of conversations those that the groups have now, with the notices of it, in the transaction that has changed them.
  package func follow(_ groups: Set<ConversationID>, _ tx: Transaction) async throws {
    let ids = groups.sorted()
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      let some = Array(ids[start..<min(start + Self.batch, ids.count)])
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

  /// The same for all groups, after changes of theirs were missed.
  package func followAll(_ tx: Transaction) async throws {
    try await follow(Set(try await tx.rows(GroupsWithOtherMembers())), tx)
  }

  /// Closes the direct conversations of pairs of users, of whom one has blocked the other ([C-10]).
  package func look(atPairs pairs: [UserPair], _ tx: Transaction) async throws {
    let found = try await tx.rows(NoteBlocks(blockerIDs: pairs.map(\.first), blockedIDs: pairs.map(\.second)))
    tx.afterCommit { [signals] in signals.send(found.map { .members($0) }) }
  }
}
