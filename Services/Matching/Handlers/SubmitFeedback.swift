import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
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
      let given = try await operations.submitFeedback(on: id, by: author, rating: stars, words, remarks: text, tx)
      return Feedback(
        feedbackID: given.id.description, sessionID: id.description, authorID: author.description,
        authorUsername: given.authorUsername, rating: Int32(stars), adjectives: words.map(\.wire), remarks: text,
        createTime: given.givenAt.timestamp)
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
