import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Joins a session ([MA-5]): of several users the one whose transaction locks the session first.
  ///
  /// - Parameters:
  ///   - known: the user as of before the transaction.
  ///   - revision: that of the session as the user knows it; `nil` for any.
  /// - Returns: the session, and which posts of the user's own the join withdrew ([MA-2]).
  package func joinSession(
    _ id: SessionID, by known: Applicant, expecting revision: Int32?, _ tx: Transaction
  ) async throws -> (session: StoredSession, withdrawn: [SessionID]) {
    var found = try await lockedToJoin(id, known, tx)
    // Until the job that ends the offer has run, the place would seem open to all although others wait for it.
    if let offer = found.session.offer, offer.isOver(at: environment.clock.now) {
      try await transitions.passOnOffer(of: id, tx)
      found = try await lockedToJoin(id, known, tx)
    }
    let (user, session) = (found.user, found.session)
    // No user loses an offer to the clock of one replica.
    let now = session.offer == nil ? environment.clock.now : try await transitions.trustedNow(tx)
    try session.facts.checkJoin(by: user, hasOverlap: found.hasOverlap, at: now)
    guard revision == nil || revision == session.revision else { throw SessionRefusal.changed }
    try await countJoin(of: user.id, at: now, tx)
    let withdrawn = found.hadPosts ? try await withdrawPosts(of: user.id, for: id, tx) : []
    return (try await transitions.match(session, with: user.id, at: now, tx), withdrawn)
  }

  /// Counts a join of a user whose row the transaction has locked ([MA-16]).
  private func countJoin(of user: UserID, at now: Instant, _ tx: Transaction) async throws {
    if let counted = try await tx.first(CountNews(of: user, joins: 1, at: now)),
      let wait = NewsLimits.wait(joins: counted.joins, since: counted.beganAt, at: now)
    {
      throw SessionRefusal.tooManyJoins(retryAfter: wait)
    }
  }

  /// Removes a user's own unmatched posts that overlap a session which the user joins ([MA-2]); the transaction has locked them.
  private func withdrawPosts(of user: UserID, for id: SessionID, _ tx: Transaction) async throws -> [SessionID] {
    let posts = try await tx.rows(OverlappingPosts(userID: user, sessionID: id))
    guard !posts.isEmpty else { return [] }
    // In the order of ids, for the sake of those who wait for several of them.
    let found = try await tx.rows(SessionsByIDs(sessionIDs: posts)).sorted { $0.id < $1.id }
    for post in found { try await transitions.remove(post, of: user, tx) }
    return posts
  }
}
