import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import Timestamps

extension Sessions {
  /// Gives feedback on the partner of a finished session, once ([MA-11]).
  package func submitFeedback(_ call: SubmitFeedbackRequest, _ context: CallContext) async throws -> Feedback {
    let author = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let rating = bad.rating(call.rating)
    let adjectives = bad.adjectives(call.adjectives)
    let remarks = bad.remarks(call.remarks)
    let (id, stars, words, text) = try bad.all(sessionID, rating, adjectives, remarks)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let now = environment.clock.now
      // The recipient's rating changes: users are locked before sessions.
      try await tx.execute(LockParticipants(sessionID: id))
      let session = try await locked(id, tx)
      let recipient = try session.facts.recipientOfFeedback(by: author, at: now)
      // Nothing that one of them writes reaches the other while one has blocked the other ([C-10]); the rating counts.
      let isBlocked = try await tx.first(BlockBetween(userID: author, otherID: recipient)) == true
      let kept = isBlocked ? "" : text
      let feedback: FeedbackID = environment.newID()
      let insert = InsertFeedback(
        recipientID: recipient, authorID: author, feedbackID: feedback, sessionID: id, rating: stars,
        adjectives: words.map(\.rawValue), remarks: kept, now: now)
      do {
        guard try await tx.first(insert) != nil else { throw SessionRefusal.partnerGone }
      } catch let error as PostgresError where error.constraint == MatchingSchema.feedbackOnce {
        throw SessionRefusal.feedbackGiven
      }
      try await transitions.tellFeedback(on: recipient, rating: Int32(stars), id, tx)
      return Feedback(
        feedbackID: feedback.description, sessionID: id.description, authorID: author.description,
        authorUsername: session.ownerID == author ? session.ownerUsername : session.partnerUsername,
        rating: Int32(stars), adjectives: words.map(\.wire), remarks: text, createTime: now.timestamp)
    }
  }
}

extension Violations {
  fileprivate mutating func rating(_ rating: Int32) -> Int16? {
    if rating == 0 {
      return require(
        "rating", nil, "please fill in the rate for your partner before submitting the feedback",
        MatchingReason.ratingRequired)
    }
    return require(
      "rating", (1...5).contains(rating) ? Int16(rating) : nil, "The rating is 1 to 5", MatchingReason.ratingInvalid)
  }

  fileprivate mutating func adjectives(_ wire: [TandemMatching.Adjective]) -> [Adjective]? {
    let values = wire.compactMap { Adjective($0) }
    if values.count < wire.count {
      return require("adjectives", nil, "An adjective is not specified", MatchingReason.adjectivesInvalid)
    }
    return require(
      "adjectives", Set(values).count == values.count ? values : nil, "Name each adjective at most once",
      MatchingReason.adjectivesInvalid)
  }

  fileprivate mutating func remarks(_ typed: String) -> String? {
    if Remarks.isBlank(typed) { return "" }
    return require("remarks", Remarks.read(typed), MatchingReason.remarksInvalid)?.text
  }
}
