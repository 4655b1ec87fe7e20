import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// Finishes a successful session ([MA-11]).
  package func finishSession(_ call: FinishSessionRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let id = try bad.all(sessionID)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.finishSession(id, by: user, tx)
      return try await shown(id, to: user, tx)
    }
  }

  /// A session as a participant sees it, in a transaction that has locked it.
  private func shown(_ id: SessionID, to user: UserID, _ tx: Transaction) async throws -> Session {
    let (sessions, views) = try await tx.rows(SessionByID(sessionID: id), SessionViewOf(viewerID: user, sessionID: id))
    guard let session = sessions.first, let view = views.first else { throw SessionRefusal.noSuchSession }
    return Session(session, gaveFeedback: view.gaveFeedback, at: environment.clock.now)
  }
}
