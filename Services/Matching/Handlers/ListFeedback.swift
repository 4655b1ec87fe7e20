import FieldViolations
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// The feedback that the caller received, the newest first ([MA-11], [C-5]).
  package func listFeedback(_ call: ListFeedbackRequest, _ context: CallContext) async throws -> ListFeedbackResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: FeedbackID.self)
    try bad.check()
    let found = try await database.rows(
      FeedbackOnUser(userID: user, beforeFeedbackID: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListFeedbackResponse(feedback: shown.map { Feedback($0) }, nextPageToken: next)
  }
}

extension Feedback {
  fileprivate init(_ stored: FeedbackOnUser.Row) {
    self.init(
      feedbackID: stored.id.description, sessionID: stored.sessionID.description,
      authorID: stored.authorID?.description ?? "", authorUsername: stored.authorUsername,
      rating: Int32(stored.rating), adjectives: stored.adjectives.compactMap { Adjective(rawValue: $0)?.wire },
      remarks: stored.remarks, createTime: stored.givenAt.timestamp)
  }
}
