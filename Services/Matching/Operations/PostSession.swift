import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Posts a session ([MA-1], [MA-2], [MA-7]).
  ///
  /// - Parameters:
  ///   - known: the poster as of before the transaction.
  ///   - gym: as the catalog has it now; see ``lookUpGym(_:)``.
  package func postSession(
    _ post: SessionPost, by known: Applicant, in gym: StoredGym, _ tx: Transaction
  ) async throws -> StoredSession {
    let now = environment.clock.now
    // The user's own requests wait for each other.
    let poster = known.updated(by: try await tx.enter(known.id, at: now))
    try poster.checkBar(at: now)
    let joinsEndAt = try post.joinsEnd(at: now)
    let isTold = try await countPost(of: poster.id, tx)
    let insert = InsertSession(
      environment.newID(), of: poster, in: gym, post.slot, joinableUntil: joinsEndAt, post.focus, post.level,
      admitting: post.admitted, now: now)
    guard let id = try await stored(insert, tx) else { throw MatchingFailure.changedMeanwhile }
    return try await transitions.recordPost(id, isTold: isTold, tx)
  }

  /// Stores a session; the constraint says whether its slot is taken ([MA-2]).
  private func stored(_ insert: InsertSession, _ tx: Transaction) async throws -> SessionID? {
    do {
      return try await tx.first(insert)
    } catch let error as PostgresError where error.constraint == MatchingSchema.overlap {
      throw SessionRefusal.slotTaken
    }
  }

  /// Counts a post of a user whose row the transaction has locked ([MA-16]).
  ///
  /// - Returns: whether users with saved searches are told of it.
  private func countPost(of user: UserID, _ tx: Transaction) async throws -> Bool {
    let now = environment.clock.now
    if let open = try await tx.first(OpenPostsOf(userID: user, now: now)), !NewsLimits.admits(openPosts: open) {
      throw SessionRefusal.tooManyOpenPosts
    }
    guard let counted = try await tx.first(CountNews(of: user, posts: 1, at: now)) else { return true }
    if let wait = NewsLimits.wait(posts: counted.posts, since: counted.beganAt, at: now) {
      throw SessionRefusal.tooManyPosts(retryAfter: wait)
    }
    return counted.posts <= NewsLimits.maxPostsTold
  }
}
