import CatalogDomain
import Identifiers
import Postgres

extension RecommendedBooks {
  package init(userID: UserID, limit: Int64) {
    self.init(
      userID: userID, weightsOfStars: ReadingWeight.ofStars, weightUnrated: ReadingWeight.unrated, limit: limit)
  }

  /// The book of the user that another was recommended for.
  package enum Reason: Sendable, Equatable {
    case borrowed(ISBN, title: String)
    case rated(StoredRating)
  }
}

extension RecommendedBooks.Row {
  /// `nil` if it is only popular.
  package var because: RecommendedBooks.Reason? {
    guard let pastISBN, let pastTitle else { return nil }
    guard let pastStars, let pastRatedAt else { return .borrowed(pastISBN, title: pastTitle) }
    return .rated(StoredRating(isbn: pastISBN, title: pastTitle, stars: pastStars, ratedAt: pastRatedAt))
  }
}
