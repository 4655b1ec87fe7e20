import ChatDomain
import Identifiers
import Postgres
import TrackingStore

/// A message, and whom of those that it names a block hides from the member who sees it ([C-10]).
package struct SeenMessage: Sendable {
  package let message: StoredMessage
  package let hidden: Set<UserID>
}

extension StoredMessage {
  /// The other users whom it names: who sent it, and who reacted to it.
  package func others(than reader: UserID) -> [UserID] {
    ((senderID.map { [$0] } ?? []) + reactions.map(\.userID)).filter { $0 != reader }
  }

  var facts: MessageFacts {
    MessageFacts(
      senderID: senderID, isNotice: notice != nil, isDeleted: deletedAt != nil, hasPicture: pictureID != nil)
  }
}

extension ChatOperations {
  /// A message that the user sees, of a conversation that is locked until the transaction ends.
  func locked(
    _ sequence: Int64, of id: ConversationID, for user: UserID, _ tx: Transaction
  ) async throws -> StoredMessage {
    let (_, found) = try await tx.rows(
      LockConversations(conversationIDs: [id]),
      MessageOfMember(userID: user, conversationID: id, sequence: sequence))
    if let message = found.first { return message }
    let isMember = try await tx.first(MemberAccess(conversationID: id, userID: user)) != nil
    throw isMember ? ChatRefusal.noSuchMessage : .noSuchConversation
  }

  /// The message after its change, which is signalled after the commit.
  func changed(
    _ sequence: Int64, of id: ConversationID, for user: UserID, _ tx: Transaction
  ) async throws -> SeenMessage {
    tx.afterCommit { [signals] in signals.send(.messages(id)) }
    let statement = MessageOfMember(userID: user, conversationID: id, sequence: sequence)
    guard let stored = try await tx.first(statement) else { throw ChatRefusal.noSuchMessage }
    return try await seen(stored, by: user, tx)
  }

  func seen(_ message: StoredMessage, by user: UserID, _ tx: Transaction) async throws -> SeenMessage {
    let statement = HiddenAmong(userIDs: message.others(than: user), userID: user)
    return SeenMessage(message: message, hidden: Set(try await tx.rows(statement)))
  }
}
