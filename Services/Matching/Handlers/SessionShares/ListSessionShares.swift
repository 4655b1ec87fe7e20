import FieldViolations
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Sessions {
  /// The caller's links to a session of theirs, the newest first ([CA-15]).
  package func listSessionShares(
    _ call: ListSessionSharesRequest, _ context: CallContext
  ) async throws -> ListSessionSharesResponse {
    let user = try context.userID
    var bad = Violations()
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    let shares = try await operations.listSessionShares(of: id, by: user)
    return ListSessionSharesResponse(shares: shares.map { SessionShare($0) })
  }
}
