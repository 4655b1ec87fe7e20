import CatalogDomain
import CatalogOperations
import CatalogStore
import Identifiers
import Jobs
import Postgres

/// The job that completes deletions of books which were interrupted after lending may have been asked ([CA-24]).
package struct BookDeletions: Sendable {
  private let operations: BookOperations
  private let database: Database

  package init(operations: BookOperations, database: Database) {
    self.operations = operations
    self.database = database
  }

  package var handler: JobHandler {
    .outside(.bookDeletion) { text, _ in
      guard let id = BookID(text), let book = try await database.first(KnownBook(bookID: id)) else { return }
      do { try await operations.retire(book) } catch BookRefusal.notAvailable { return }
      try await database.repeatableTransaction { tx in _ = try await operations.deleteBook(id, of: book.ownerID, tx) }
    }
  }
}
