import CatalogStore
import Postgres

/// Whether the owner of a book withholds it, as lending reports it ([CA-29]).
package struct BookHold: Sendable, Hashable {
  let book: BookID
  let isHeld: Bool

  package init(_ book: BookID, isHeld: Bool) { (self.book, self.isHeld) = (book, isHeld) }
}

extension BookOperations {
  /// Stores the last of what was reported of each book, of which the transaction holds the owners.
  package func storeHolds(_ reported: [BookHold], _ tx: Transaction) async throws {
    guard !reported.isEmpty else { return }
    var books: Set<BookID> = []
    let last = reported.reversed().filter { books.insert($0.book).inserted }.reversed()
    try await tx.execute(
      SetBookHolds(bookIDs: last.map(\.book), holds: last.map(\.isHeld), now: environment.clock.now))
  }
}
