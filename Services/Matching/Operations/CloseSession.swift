import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Schedules the job that closes the sessions of users who deleted their accounts ([C-9]).
  package func scheduleCleanup(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.cleanUpUsers, "", at: environment.clock.now, key: "users"), with: jobs)
  }

  /// Closes a session of a user who deleted the account, and removes the user from it ([C-9]).
  package func closeSession(_ id: SessionID, of user: UserID, _ tx: Transaction) async throws {
    let session = try await locked(id, tx)
    switch Departure.byAccountDeletion(of: user, from: session.facts, at: environment.clock.now) {
    case .remove: try await transitions.remove(session, of: user, tx)
    case .leave(let other): try await transitions.leave(session, user, to: other, tx)
    case .fail(let other): try await transitions.fail(session, without: user, telling: other, tx)
    case nil: break
    }
    try await tx.execute(ForgetParticipant(userID: user, sessionID: id))
  }
}
