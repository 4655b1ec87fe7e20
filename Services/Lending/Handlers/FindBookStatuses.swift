import FieldViolations
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Violations {
  /// Books that are asked about at a time.
  private static let maxBooks = 1_000

  /// The ids of some books, in the field `book_ids`.
  ///
  /// - Throws: at once where there are none or too many: of those it is enough to say so.
  mutating func bookIDs(_ texts: [String]) throws -> [BookID] {
    if texts.isEmpty { add("book_ids", "Name at least one book", "BOOK_IDS_REQUIRED") }
    if texts.count > Self.maxBooks {
      add("book_ids", "At most \(Self.maxBooks) books at a time", "TOO_MANY_BOOK_IDS")
      try check()
    }
    return texts.enumerated().compactMap { place, text in bookID(text, "book_ids[\(place)]") }
  }
}

extension Loans {
  /// Where some books are, for a service that has missed the news of them.
  package func findBookStatuses(
    _ call: FindBookStatusesRequest, _ context: CallContext
  ) async throws -> FindBookStatusesResponse {
    var bad = Violations()
    let ids = try bad.bookIDs(call.bookIds)
    try bad.check()
    let found = try await database.rows(StatusesOfBooks(ids))
    return FindBookStatusesResponse(
      statuses: found.map {
        KnownStatus(
          bookID: $0.id.description, status: $0.status.wire, borrowerID: $0.borrower?.description ?? "")
      })
  }
}
