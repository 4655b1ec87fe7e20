import Identifiers
import LendingDomain
import Postgres

/// A stored book.
package struct StoredBook: Sendable {
  package let id: BookID
  package let facts: BookFacts
  /// Since when its owner withholds it; `nil` for one that is not on hold.
  package let heldAt: Instant?
  package let title: String
  /// Empty until the catalog has reported it.
  package let description: String

  init(_ columns: BookColumns) {
    id = columns.id
    facts = BookFacts(
      ownerID: columns.ownerID, isbn: columns.isbn, status: columns.status, waiting: Int(columns.waiting),
      isRetired: columns.isRetired, isHeld: columns.heldAt != nil)
    heldAt = columns.heldAt
    title = columns.title
    description = columns.description
  }
}

extension PutBooks {
  /// What is reported last of each book; an empty description is not known.
  package init(_ books: [PutBook]) {
    let last = Array(
      Dictionary(books.map { ($0.bookID, $0) }) { earlier, later in
        PutBook(
          ownerID: earlier.ownerID, bookID: earlier.bookID, isbn: earlier.isbn, title: later.title,
          description: later.description.isEmpty ? earlier.description : later.description)
      }.values)
    self.init(
      bookIDs: last.map(\.bookID), ownerIDs: last.map(\.ownerID), isbns: last.map(\.isbn), titles: last.map(\.title),
      descriptions: last.map(\.description))
  }
}

extension PutBook {
  /// Stores it, after creating the owner's row if necessary.
  package func keep(in tx: Transaction) async throws {
    try await tx.execute(EnterUser(userID: ownerID))
    try await tx.execute(self)
  }
}
