import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching

extension Sessions {
  /// Joins a session ([MA-5]).
  package func joinSession(_ call: JoinSessionRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    let key = context.requestKey(requestID)
    // A repeated request is answered without asking identity.
    if let first: Session = try await idempotency.firstAnswer(to: call, key) { return first }
    let applicant = try await operations.lookUpApplicant(user)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let revision = StoredSession.revision(etag: call.etag)
      let joined = try await operations.joinSession(id, by: applicant, expecting: revision, tx)
      var session = Session(joined.session, at: environment.clock.now)
      session.withdrawnSessionIds = joined.withdrawn.map(\.description)
      return session
    }
  }
}
