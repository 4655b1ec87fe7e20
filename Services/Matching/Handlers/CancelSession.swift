import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
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
      let now = try await transitions.trustedNow(tx)
      _ = try await tx.first(LockedMember(now: now, userID: user))
      let session = try await locked(id, tx)
      let cancellation = try Cancellation.decide(session.facts, by: user, at: now)
      guard call.etag.isEmpty || call.etag == session.etag else { throw SessionRefusal.changed }
      try await transitions.cancel(session, by: user, cancellation, tx)
      try await transitions.bar(user, for: cancellation, of: id, at: now, tx)
      return CancelSessionResponse(barEndTime: cancellation.barredUntil?.timestamp)
    }
  }
}
