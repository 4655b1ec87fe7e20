import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// Cancels the caller's part in a session ([MA-6], [MA-7]).
  package func cancelSession(_ call: CancelSessionRequest, _ context: CallContext) async throws -> CancelSessionResponse
  {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    return try await idempotency.execute(
      call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)
    ) { tx in
      let revision = StoredSession.revision(etag: call.etag)
      let cancellation = try await operations.cancelSession(id, by: user, expecting: revision, tx)
      return CancelSessionResponse(barEndTime: cancellation.barredUntil?.timestamp)
    }
  }
}
