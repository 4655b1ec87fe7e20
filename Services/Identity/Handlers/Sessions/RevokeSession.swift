import FieldViolations
import Idempotency
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity

extension Accounts {
  /// Ends one of the caller's sessions ([ID-7]).
  package func revokeSession(
    _ call: RevokeSessionRequest, _ context: CallContext
  ) async throws -> RevokeSessionResponse {
    let (owner, current) = (try context.userID, try context.loginSessionID)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.require(
      "session_id", SessionID(call.sessionID), "This is no session's id", IdentityReason.sessionIDInvalid)
    let session = try bad.all(id)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await endedSessions.requireLiving(current, of: owner, in: tx)
      try await recentAuthentication.require(context, in: tx)
      guard try await endedSessions.end(session, of: owner, in: tx) else { throw Status.noSuchSession }
      try await tx.execute(ForgetDeviceOfSession(sessionID: session, userID: owner))
      // A person who had the session must not complete a change of the address that they requested by it.
      try await tx.execute(DropEmailChangeOfSession(userID: owner, sessionID: session))
      return RevokeSessionResponse()
    }
  }
}
