import Identifiers
import Postgres

extension StoreRating {
  package init(_ rating: StoredRating, userID: UserID) {
    self.init(
      userID: userID, isbn: rating.isbn, title: rating.title, stars: rating.stars, ratedAt: rating.ratedAt)
  }
}

extension CountRating {
  /// The constraint that limits the ratings of a user.
  package static let limitConstraint = "users_ratings_limit"
}

extension RatingsBefore {
  /// - Parameter before: the time and the ISBN of the last rating of the previous page.
  package init(userID: UserID, before: (Instant, Int64)?, limit: Int64) {
    self.init(
      userID: userID, beforeRatedAt: before?.0, beforeISBN: before.map { ISBN(stored: $0.1) }, limit: limit)
  }
}
