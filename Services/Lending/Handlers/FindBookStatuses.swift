import FieldViolations
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Violations {
  /// The most books in one request.
  private static let maxBooks = 1_000

  /// Parses the ids of books from the field `book_ids`.
  ///
  /// - Throws: at once if there are none or too many, without checking the ids.
  mutating func bookIDs(_ texts: [String]) throws -> [BookID] {
    if texts.isEmpty { add("book_ids", "Name at least one book", LendingReason.bookIdsRequired) }
    if texts.count > Self.maxBooks {
      add("book_ids", "At most \(Self.maxBooks) books at a time", LendingReason.tooManyBookIds)
      try check()
    }
    return texts.enumerated().compactMap { place, text in bookID(text, "book_ids[\(place)]") }
  }
}

extension Loans {
  /// The status of some books, for a service that has missed events.
  package func findBookStatuses(
    _ call: FindBookStatusesRequest, _ context: CallContext
  ) async throws -> FindBookStatusesResponse {
    var bad = Violations()
    let ids = try bad.bookIDs(call.bookIds)
    try bad.check()
    let found = try await database.rows(StatusesOfBooks(bookIDs: ids))
    return FindBookStatusesResponse(
      statuses: found.map {
        KnownStatus(
          bookID: $0.bookID.description, status: $0.status.wire, borrowerID: $0.borrowerID?.description ?? "",
          onHold: $0.isHeld)
      })
  }
}
