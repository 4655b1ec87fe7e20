import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// How many are recommended when the request leaves it open, and at most.
  private static let (usualCount, largestCount): (Int32, Int32) = (20, 100)

  /// What the caller might like to borrow next, because of what they borrowed before ([CA-28]).
  package func recommendBooks(
    _ call: RecommendBooksRequest, _ context: CallContext
  ) async throws -> RecommendBooksResponse {
    let reader = try context.personID
    guard call.count >= 0 else { throw BadFields("count", "The count cannot be negative", "COUNT_INVALID") }
    let count = call.count == 0 ? Self.usualCount : min(call.count, Self.largestCount)
    let found = try await database.rows(RecommendedBooks(for: reader, limit: Int64(count)))
    if found.isEmpty, try await database.first(AnyPastLoan(of: reader)) == nil { throw Status.noHistory }
    return RecommendBooksResponse(recommendations: found.map { Recommendation($0, for: reader) })
  }
}

extension Recommendation {
  fileprivate init(_ found: RecommendedBook, for reader: PersonID) {
    self.init(
      book: Book(found.book, seenBy: reader),
      because: found.because.map { BorrowedBook(isbn: $0.isbn.description, title: $0.title) })
  }
}
