import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// Marks the messages up to a number as read by a user ([TR-33]).
  package func markRead(
    upTo sequence: Int64, of id: ConversationID, by user: UserID, _ tx: Transaction
  ) async throws -> MoveReadMark.Row {
    let move = MoveReadMark(sequence: sequence, conversationID: id, userID: user)
    guard let moved = try await tx.first(move) else { throw ChatRefusal.noSuchConversation }
    tx.afterCommit { [signals] in signals.send(.readMark(id, user, moved.readSequence)) }
    return moved
  }

  /// Marks the messages up to a number as read by a user, as a stream asks for it: by a statement alone, as a stream repeats no request.
  package func markRead(
    upTo sequence: Int64, of id: ConversationID, by user: UserID, in database: Database
  ) async throws {
    let move = MoveReadMark(sequence: sequence, conversationID: id, userID: user)
    guard let moved = try await database.write(move).first else { throw ChatRefusal.noSuchConversation }
    signals.send(.readMark(id, user, moved.readSequence))
  }
}
