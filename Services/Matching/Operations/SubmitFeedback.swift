import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

/// Feedback that was stored.
package struct GivenFeedback: Sendable {
  package let id: FeedbackID
  package let authorUsername: String
  package let givenAt: Instant
}

extension SessionOperations {
  /// Gives feedback on the partner of a finished session, once ([MA-11]).
  ///
  /// - Parameter rating: 1 to 5.
  package func submitFeedback(
    on id: SessionID, by author: UserID, rating: Int16, _ adjectives: [Adjective], remarks: String, _ tx: Transaction
  ) async throws -> GivenFeedback {
    let now = environment.clock.now
    // The recipient's rating changes: users are locked before sessions.
    try await tx.execute(LockParticipants(sessionID: id))
    let session = try await locked(id, tx)
    let recipient = try session.facts.recipientOfFeedback(by: author, at: now)
    // Nothing that one of them writes reaches the other while one has blocked the other ([C-10]); the rating counts.
    let isBlocked = try await tx.first(BlockBetween(userID: author, otherID: recipient)) == true
    let feedback: FeedbackID = environment.newID()
    let insert = InsertFeedback(
      recipientID: recipient, authorID: author, feedbackID: feedback, sessionID: id, rating: rating,
      adjectives: adjectives.map(\.rawValue), remarks: isBlocked ? "" : remarks, now: now)
    do {
      guard try await tx.first(insert) != nil else { throw SessionRefusal.partnerGone }
    } catch let error as PostgresError where error.constraint == MatchingSchema.feedbackOnce {
      throw SessionRefusal.feedbackGiven
    }
    try await transitions.tellFeedback(on: recipient, rating: Int32(rating), id, tx)
    return GivenFeedback(
      id: feedback, authorUsername: session.ownerID == author ? session.ownerUsername : session.partnerUsername,
      givenAt: now)
  }
}
