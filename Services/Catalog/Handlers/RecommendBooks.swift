import CatalogStore
import FieldViolations
import Identifiers
import TTRPC
import TandemCatalog
import TandemLending

extension Books {
  /// How many are recommended when the request leaves it open, and at most.
  private static let (defaultCount, largestCount): (Int32, Int32) = (20, 100)
  /// Lending is asked on the way to an answer that somebody waits for.
  private static let timeout = Duration.seconds(2)

  /// What the caller might like to borrow next, because of what they borrowed and rated ([CA-28]).
  package func recommendBooks(
    _ call: RecommendBooksRequest, _ context: CallContext
  ) async throws -> RecommendBooksResponse {
    let reader = try context.userID
    guard call.count >= 0 else { throw BadFields("count", "The count cannot be negative", "COUNT_INVALID") }
    let count = call.count == 0 ? Self.defaultCount : min(call.count, Self.largestCount)
    // As many again, for those that the reader waits for already.
    let found = try await database.rows(RecommendedBooks(for: reader, limit: 2 * Int64(count)))
    if found.isEmpty, try await database.first(AnyPastLoan(of: reader)) == nil { throw Status.noHistory }
    let waitedFor = try await waitedFor(by: reader, among: found)
    let requestable = found.filter { !waitedFor.contains($0.book.id.description) }.prefix(Int(count))
    return RecommendBooksResponse(recommendations: requestable.map { Recommendation($0, for: reader) })
  }

  /// The ids of those books that the reader has asked for already, and so cannot again. Lending knows; when it does not answer, those that anybody
  /// has asked for are taken for such.
  private func waitedFor(by reader: UserID, among found: [RecommendedBook]) async throws -> Set<String> {
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
  fileprivate init(_ found: RecommendedBook, for reader: UserID) {
    self.init(book: Book(found.book, seenBy: reader))
    switch found.because {
    case .borrowed(let isbn, let title): because = BorrowedBook(isbn: isbn.description, title: title)
    case .rated(let rating): becauseRated = BookRating(rating)
    case nil: break
    }
  }
}
