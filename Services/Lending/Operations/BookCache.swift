import Identifiers
import LendingDomain
import LendingStore
import Logging
import Postgres
import TTRPC
import TandemCatalog

/// Provides the details of books that requests copy: title, description and the owner's name.
///
/// The catalog's events have them. A book that was added a moment ago, or before the oldest event that the catalog keeps, is looked up.
struct BookCache: Sendable {
  private let database: Database
  private let catalog: (any RPCChannel)?
  private let logger: Logger

  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  init(database: Database, catalog: (any RPCChannel)?, logger: Logger) {
    self.database = database
    self.catalog = catalog
    self.logger = logger
  }

  /// Looks a book up in the catalog if details of it are missing. Call it outside of transactions.
  ///
  /// - Throws: `noSuchBook` if the catalog does not have it; `catalogUnavailable` if the book is unknown here and the catalog does not answer.
  func prepare(_ id: BookID) async throws {
    let isComplete = try await database.first(KnownBook(bookID: id))
    guard let catalog, isComplete != true else { return }
    do {
      let call = LookUpBookRequest(bookID: id.description)
      try await keep(id, as: try await BooksClient(catalog).lookUpBook(call, CallOptions(timeout: Self.timeout)))
    } catch let status as Status where status.code == .notFound {
      throw LoanRefusal.noSuchBook
    } catch let status as Status {
      logger.warning("the lookup of a book in the catalog failed", metadata: ["cause": "\(status)"])
      // Only a text is missing: the owner is known, and whether the book can be requested is decided here.
      if isComplete == nil { throw LoanFailure.catalogUnavailable }
    }
  }

  private func keep(_ id: BookID, as book: Book) async throws {
    guard BookID(book.bookID) == id, let owner = UserID(book.ownerID), let isbn = ISBN(complete: book.isbn) else {
      // Of the answer nothing is known, as if there were none.
      throw Status.unavailable("the catalog's answer is not the book")
    }
    let put = PutBook(ownerID: owner, bookID: id, isbn: isbn, title: book.title, description: book.description)
    try await database.repeatableTransaction { tx in
      if !book.ownerUsername.isEmpty {
        try await tx.execute(IntroduceUser(userID: owner, username: book.ownerUsername))
      }
      try await put.keep(in: tx)
    }
  }
}
