import FieldViolations
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Sessions {
  /// A session, to its participants, and while it is open and yet to start to other users ([C-10]).
  package func getSession(_ call: GetSessionRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    let (seen, now) = try await operations.getSession(id, for: user)
    return Session(seen.session, seen.obstacles, gaveFeedback: seen.gaveFeedback, at: now)
  }
}
