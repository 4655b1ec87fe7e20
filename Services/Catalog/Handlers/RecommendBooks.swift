import CatalogStore
import FieldViolations
import Identifiers
import TTRPC
import TandemCatalog
import TandemLending

extension Books {
  /// The number of recommendations if the request names none, and the largest.
  private static let (defaultCount, largestCount): (Int32, Int32) = (20, 100)
  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(2)

  /// Books that the caller may want to borrow next, by what they borrowed and rated ([CA-28]).
  package func recommendBooks(
    _ call: RecommendBooksRequest, _ context: CallContext
  ) async throws -> RecommendBooksResponse {
    let reader = try context.userID
    guard call.count >= 0 else { throw BadFields("count", "The count cannot be negative", CatalogReason.countInvalid) }
    let count = call.count == 0 ? Self.defaultCount : min(call.count, Self.largestCount)
    // Twice as many, as some may be left out because the reader has requested them.
    let found = try await turns.run(for: reader) {
      try await database.rows(RecommendedBooks(userID: reader, limit: 2 * Int64(count)))
    }
    if found.isEmpty, try await database.first(AnyPastLoan(userID: reader)) == nil { throw Status.noHistory }
    let waitedFor = try await waitedFor(by: reader, among: found)
    let requestable = found.filter { !waitedFor.contains($0.book.id.description) }.prefix(Int(count))
    return RecommendBooksResponse(recommendations: requestable.map { Recommendation($0, for: reader) })
  }

  /// The ids of the books that the reader has already requested, which cannot be requested again; lending knows them. If it does not
  /// answer, every requested book counts as such.
  private func waitedFor(by reader: UserID, among found: [RecommendedBooks.Row]) async throws -> Set<String> {
    guard let lending, !found.isEmpty else { return [] }
    let call = FindRequestedBooksRequest(
      borrowerID: reader.description, bookIds: found.map { $0.book.id.description })
    do {
      return Set(try await LoansClient(lending).findRequestedBooks(call, CallOptions(timeout: Self.timeout)).bookIds)
    } catch is Status {
      return Set(found.filter { $0.book.status == .requested }.map { $0.book.id.description })
    }
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
