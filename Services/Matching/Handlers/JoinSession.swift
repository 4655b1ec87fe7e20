import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// Joins a session ([MA-5]): of several callers the one whose transaction locks the session first.
  package func joinSession(_ call: JoinSessionRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    let key = context.requestKey(requestID)
    if let first: Session = try await idempotency.firstAnswer(to: call, key) { return first }
    let applicant = try await applicants.applicant(user)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let joined = try await transitions.join(id, applicant, expecting: call.etag.isEmpty ? nil : call.etag, tx)
      var session = Session(joined.session, at: environment.clock.now)
      session.withdrawnSessionIds = joined.withdrawn.map(\.description)
      return session
    }
  }
}
