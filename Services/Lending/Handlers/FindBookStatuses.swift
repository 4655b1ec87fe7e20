import FieldViolations
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Books that are asked about at a time.
  private static let mostBooks = 1_000

  /// Where some books are, for a service that has missed the news of them.
  package func findBookStatuses(
    _ call: FindBookStatusesRequest, _ context: CallContext
  ) async throws -> FindBookStatusesResponse {
    var bad = Violations()
    if call.bookIds.isEmpty { bad.add("book_ids", "Name at least one book", "BOOK_IDS_REQUIRED") }
    if call.bookIds.count > Self.mostBooks {
      bad.add("book_ids", "At most \(Self.mostBooks) books at a time", "TOO_MANY_BOOK_IDS")
    }
    try bad.check()
    let ids = call.bookIds.enumerated().compactMap { place, text in bad.bookID(text, "book_ids[\(place)]") }
    try bad.check()
    let found = try await database.rows(StatusesOfBooks(ids))
    return FindBookStatusesResponse(
      statuses: found.map {
        KnownStatus(
          bookID: $0.id.description, status: $0.status.wire, borrowerID: $0.borrower?.description ?? "")
      })
  }
}
