import FieldViolations
import Idempotency
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity

extension Accounts {
  /// Ends the caller's session: this replica refuses its refresh token and access token at once ([ID-7]).
  package func logout(_ call: LogoutRequest, _ context: CallContext) async throws -> LogoutResponse {
    var fields = Violations()
    let requestID = fields.requestID(call.requestID)
    try fields.check()
    let session = try context.loginSessionID
    let answer = try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await endedSessions.end(session, in: tx)
      return LogoutResponse()
    }
    tokens.end(session)
    return answer
  }
}
