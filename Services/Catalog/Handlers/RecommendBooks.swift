import CatalogOperations
import CatalogStore
import FieldViolations
import Identifiers
import TTRPC
import TandemCatalog

extension Books {
  /// The number of recommendations if the request names none, and the largest.
  private static let (defaultCount, largestCount): (Int32, Int32) = (20, 100)

  /// Books that the caller may want to borrow next, by what they borrowed and rated ([CA-28]).
  package func recommendBooks(
    _ call: RecommendBooksRequest, _ context: CallContext
  ) async throws -> RecommendBooksResponse {
    let reader = try context.userID
    guard call.count >= 0 else { throw BadFields("count", "The count cannot be negative", CatalogReason.countInvalid) }
    let count = call.count == 0 ? Self.defaultCount : min(call.count, Self.largestCount)
    let found = try await turns.run(for: reader) { try await operations.rankRecommendations(count, for: reader) }
    let recommended = try await operations.recommendBooks(count, among: found, to: reader)
    return RecommendBooksResponse(recommendations: recommended.map { Recommendation($0, for: reader) })
  }
}

extension Recommendation {
  fileprivate init(_ found: RecommendedBooks.Row, for reader: UserID) {
    self.init(book: Book(found.book, seenBy: reader))
    switch found.because {
    case .borrowed(let isbn, let title): because = BorrowedBook(isbn: isbn.description, title: title)
    case .rated(let rating): becauseRated = BookRating(rating)
    case nil: break
    }
  }
}
