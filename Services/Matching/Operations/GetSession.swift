import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

/// A session as a user sees it.
package struct SeenSession: Sendable {
  package let session: StoredSession
  /// Why the user cannot join it, the most telling reason first.
  package let obstacles: [SessionRefusal]
  /// Whether the user gave feedback on the partner.
  package let gaveFeedback: Bool
}

extension SessionOperations {
  /// A session, to its participants, and while it is open and yet to start to other users ([C-10]).
  ///
  /// - Returns: also the moment as of which it is seen.
  /// - Throws: `noSuchSession` for any other user.
  package func getSession(_ id: SessionID, for user: UserID) async throws -> (SeenSession, at: Instant) {
    guard let session = try await database.first(SessionByID(sessionID: id)),
      let view = try await database.first(SessionViewOf(viewerID: user, sessionID: id))
    else { throw SessionRefusal.noSuchSession }
    let (facts, now) = (session.facts, environment.clock.now)
    if facts.isOwn(of: user) {
      return (SeenSession(session: session, obstacles: [.ownSession], gaveFeedback: view.gaveFeedback), now)
    }
    guard facts.isShownToOthers(at: now), !view.isBlocked else { throw SessionRefusal.noSuchSession }
    let viewer = try await lookUpApplicant(user)
    let obstacles = facts.obstacles(for: viewer, hasOverlap: view.hasOverlap, at: now)
    return (SeenSession(session: session, obstacles: obstacles, gaveFeedback: false), now)
  }
}
