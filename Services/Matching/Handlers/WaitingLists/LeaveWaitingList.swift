import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension WaitingLists {
  /// Removes the caller from a session's waiting list.
  package func leaveWaitingList(
    _ call: LeaveWaitingListRequest, _ context: CallContext
  ) async throws -> LeaveWaitingListResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.sessionID(call.sessionID)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.leaveWaitingList(of: id, user, tx)
      return LeaveWaitingListResponse()
    }
  }
}
