import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// A session, to its participants, and while it is open and yet to start to other users ([C-10]).
  package func getSession(_ call: GetSessionRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    guard let session = try await database.first(SessionByID(sessionID: id)),
      let view = try await database.first(SessionViewOf(viewerID: user, sessionID: id))
    else { throw SessionRefusal.noSuchSession }
    let (facts, now) = (session.facts, environment.clock.now)
    if facts.hasParticipant(user), facts.state != .cancelled {
      return Session(session, gaveFeedback: view.gaveFeedback, at: now)
    }
    guard facts.state == .open, facts.slot.start > now, !view.isBlocked else { throw SessionRefusal.noSuchSession }
    let viewer = try await applicants.applicant(user)
    return Session(session, facts.obstacles(for: viewer, hasOverlap: view.hasOverlap, at: now), at: now)
  }
}
