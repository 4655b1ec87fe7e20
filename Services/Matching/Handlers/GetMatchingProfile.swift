import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// A user's reputation as a training partner ([MA-11], [C-10]).
  package func getMatchingProfile(
    _ call: GetMatchingProfileRequest, _ context: CallContext
  ) async throws -> MatchingProfile {
    let viewer = try context.userID
    var bad = Violations()
    let userID = bad.require(
      "user_id", UserID(call.userID), "This is not the id of a user", MatchingReason.userIDInvalid)
    let user = try bad.all(userID)
    guard let row = try await database.first(MatchingProfileOf(userID: user, viewerID: viewer)) else {
      throw Status.noSuchUser
    }
    guard !row.deleted, !row.isBlocked else { throw Status.noSuchUser }
    let reputation = Reputation(
      ratings: row.ratingCount, sum: row.ratingSum, attended: row.attended, missed: row.missed)
    let adjectives = try await database.rows(AdjectivesOf(userID: user))
    return MatchingProfile(
      userID: user.description, username: row.username, meanRating: reputation.mean, rating: reputation.rating,
      ratingCount: reputation.ratings, attended: reputation.attended, missed: reputation.missed,
      attendance: reputation.attendance,
      adjectives: adjectives.compactMap { row in
        Adjective(rawValue: row.word).map { AdjectiveCount(adjective: $0.wire, count: row.count) }
      })
  }
}
