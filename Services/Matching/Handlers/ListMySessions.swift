import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// The caller's sessions, upcoming or past ([MA-12], [C-5]).
  package func listMySessions(
    _ call: ListMySessionsRequest, _ context: CallContext
  ) async throws -> ListMySessionsResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, SessionID.self)
    try bad.check()
    let (now, state) = (environment.clock.now, SessionState(call.state))
    let found: [(session: StoredSession, gaveFeedback: Bool)]
    if state == .cancelled {
      found = try await cancelled(call.time, of: user, page, at: now)
    } else if call.time == .past {
      found = try await database.rows(
        PastSessions(
          userID: user, now: now, state: state, beforeStart: page.after?.0, beforeSessionID: page.after?.1,
          limit: page.limit)
      ).map { ($0.session, $0.gaveFeedback) }
    } else {
      found = try await database.rows(
        UpcomingSessions(
          userID: user, now: now, state: state, afterStart: page.after?.0, afterSessionID: page.after?.1,
          limit: page.limit)
      ).map { ($0.session, $0.gaveFeedback) }
    }
    let (shown, next) = try page.cut(found) { ($0.session.slot.start, $0.session.id) }
    return ListMySessionsResponse(
      sessions: shown.map { Session($0.session, gaveFeedback: $0.gaveFeedback, at: now) }, nextPageToken: next)
  }

  private func cancelled(
    _ time: SessionTime, of user: UserID, _ page: Page<Instant, SessionID>, at now: Instant
  ) async throws -> [(session: StoredSession, gaveFeedback: Bool)] {
    if time == .past {
      return try await database.rows(
        PastCancelledSessions(
          userID: user, now: now, beforeStart: page.after?.0, beforeSessionID: page.after?.1, limit: page.limit)
      ).map { ($0.session, $0.gaveFeedback) }
    }
    return try await database.rows(
      UpcomingCancelledSessions(
        userID: user, now: now, afterStart: page.after?.0, afterSessionID: page.after?.1, limit: page.limit)
    ).map { ($0.session, $0.gaveFeedback) }
  }
}
