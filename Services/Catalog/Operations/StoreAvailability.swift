import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// Where a book is, as lending reports it ([LE-15]).
package struct BookAvailability: Sendable, Hashable {
  package let book: BookID
  let status: BookStatus
  /// The borrower while the book is accepted or borrowed; `nil` after the return.
  package let borrower: UserID?

  package init(_ book: BookID, _ status: BookStatus, borrower: String) {
    self.book = book
    self.status = status
    self.borrower = status.isHeldByBorrower ? UserID(borrower) : nil
  }

  init(_ shown: ShownBooks.Row) {
    (book, status, borrower) = (shown.id, shown.status, shown.borrowerID)
  }
}

extension BookOperations {
  /// Stores the last availability of each book, of which the transaction holds owners and borrowers.
  package func storeAvailability(_ reported: [BookAvailability], _ tx: Transaction) async throws {
    try await tx.execute(SetBookStatuses(last: reported, now: environment.clock.now))
  }
}

extension SetBookStatuses {
  /// The last of the statuses reported for each book, in the order of these.
  fileprivate init(last reported: [BookAvailability], now: Instant) {
    var books: Set<BookID> = []
    let last = reported.reversed().filter { books.insert($0.book).inserted }.reversed()
    let held = last.compactMap { book in book.borrower.map { (book.book, $0) } }
    self.init(
      bookIDs: last.map(\.book), statuses: last.map(\.status), heldBookIDs: held.map(\.0),
      borrowerIDs: held.map(\.1), now: now)
  }
}
