import FieldViolations
import Idempotency
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity

extension Accounts {
  /// Ends all the caller's sessions, or all but the one of the call ([ID-7]).
  package func logoutEverywhere(
    _ call: LogoutEverywhereRequest, _ context: CallContext
  ) async throws -> LogoutEverywhereResponse {
    let (owner, current) = (try context.userID, try context.loginSessionID)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let kept = call.scope == .otherSessions ? current : nil
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // The lock also makes logins wait: a session begins before this call and ends, or after it and stays.
      try await endedSessions.requireLiving(current, of: owner, in: tx)
      try await recentAuthentication.require(context, in: tx)
      let ended = try await endedSessions.endAll(of: owner, except: kept, in: tx)
      try await RememberedDevices.forgetAll(of: owner, except: kept, in: tx)
      return LogoutEverywhereResponse(endedSessionCount: Int32(ended))
    }
  }
}
