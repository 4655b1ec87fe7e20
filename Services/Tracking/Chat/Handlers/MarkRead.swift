import ChatDomain
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// Marks the messages up to a number as read by the caller ([TR-33]).
  package func markRead(_ call: MarkReadRequest, _ context: CallContext) async throws -> MarkReadResponse {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (id, sequence) = try bad.all(bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    try rates.count(caller)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let move = MoveReadMark(sequence: sequence, conversationID: id, userID: caller)
      guard let moved = try await tx.first(move) else { throw Status.conversationNotFound }
      tx.afterCommit { [signals] in signals.send(.readMark(id, caller, moved.readSequence)) }
      return MarkReadResponse(readSequence: moved.readSequence, unreadCount: moved.unread)
    }
  }

  /// The same, by a stream.
  func markRead(_ call: MarkReadRequest, as user: UserID) async throws {
    var bad = Violations()
    let (id, sequence) = try bad.all(bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    try rates.count(user)
    let move = MoveReadMark(sequence: sequence, conversationID: id, userID: user)
    guard let moved = try await database.write(move).first else { throw Status.conversationNotFound }
    signals.send(.readMark(id, user, moved.readSequence))
  }
}
