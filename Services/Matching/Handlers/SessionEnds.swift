import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres

/// Finishes successful sessions at their end that no participant has finished, so that each counts once it has lasted ([MA-11]).
package struct SessionEnds: Sendable {
  private let transitions: SessionTransitions

  package init(transitions: SessionTransitions) { self.transitions = transitions }

  package var handler: JobHandler {
    .inDatabase(.finishSession) { payload, _, tx in
      guard let id = SessionID(payload) else { throw JobRefusal("its payload is no id") }
      try await finish(id, tx)
    }
  }

  private func finish(_ id: SessionID, _ tx: Transaction) async throws {
    // The session is read once the lock is held.
    let (_, sessions) = try await tx.rows(LockSession(sessionID: id), SessionByID(sessionID: id))
    guard let session = sessions.first, session.facts.isUnfinished else { return }
    let left = session.slot.end - (try await transitions.trustedNow(tx))
    guard left <= .zero else {
      // This replica's clock is ahead, and its job came too early: the time is left by any clock.
      return try await tx.schedule(
        Job(.finishSession, id.description, at: transitions.clock.now + left), with: transitions.jobs)
    }
    try await transitions.finish(session, at: transitions.clock.now, tx)
  }
}
