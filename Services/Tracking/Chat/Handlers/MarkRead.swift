import ChatDomain
import ChatOperations
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemChat

extension Chat {
  /// Marks the messages up to a number as read by the caller ([TR-33]).
  package func markRead(_ call: MarkReadRequest, _ context: CallContext) async throws -> MarkReadResponse {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (id, sequence) = try bad.all(bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    try rates.count(caller)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let moved = try await operations.markRead(upTo: sequence, of: id, by: caller, tx)
      return MarkReadResponse(readSequence: moved.readSequence, unreadCount: moved.unread)
    }
  }

  /// Marks messages as read for a stream, which is not answered.
  func markRead(_ call: MarkReadRequest, as user: UserID) async throws {
    var bad = Violations()
    let (id, sequence) = try bad.all(bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    try rates.count(user)
    try await operations.markRead(upTo: sequence, of: id, by: user, in: database)
  }
}
