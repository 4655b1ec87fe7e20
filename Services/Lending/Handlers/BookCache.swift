import FieldViolations
import Identifiers
import LendingDomain
import LendingStore
import Logging
import Postgres
import TTRPC
import TandemCatalog

/// Sees to it that what a request keeps of a book is known before it is asked for: title, description and the owner's name.
///
/// The catalog tells of books by events. One that was added a moment ago, or before the oldest event that it keeps, is asked for here.
struct BookCache: Sendable {
  private let database: Database
  private let catalog: (any RPCChannel)?
  private let logger: Logger

  /// The caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  init(database: Database, catalog: (any RPCChannel)?, logger: Logger) {
    self.database = database
    self.catalog = catalog
    self.logger = logger
  }

  /// Asks the catalog about a book, where something of it is missing. Outside of any transaction.
  ///
  /// - Throws: `noSuchBook` when the catalog has none; UNAVAILABLE when nothing is known of it and the catalog does not answer.
  func prepare(_ id: BookID) async throws {
    let isComplete = try await database.first(KnownBook(id))
    guard let catalog, isComplete != true else { return }
    do {
      let call = LookUpBookRequest(bookID: id.description)
      try await keep(try await BooksClient(catalog).lookUpBook(call, CallOptions(timeout: Self.timeout)))
    } catch let status as Status where status.code == .notFound {
      throw LoanRefusal.noSuchBook
    } catch let status as Status {
      logger.warning("the lookup of a book in the catalog failed", metadata: ["cause": "\(status)"])
      // What is missing is a text; who owns the book is known, and that it can be asked for is decided here.
      if isComplete == nil { throw Status.catalogUnavailable }
    }
  }

  private func keep(_ book: Book) async throws {
    guard let id = BookID(book.bookID), let owner = UserID(book.ownerID), let isbn = ISBN(complete: book.isbn) else {
      throw Status.catalogUnavailable
    }
    let put = PutBook(id, of: owner, isbn, title: book.title, description: book.description)
    try await database.repeatableTransaction { tx in
      if !book.ownerUsername.isEmpty {
        try await tx.execute(IntroduceUser(owner, username: book.ownerUsername))
      }
      try await put.keep(in: tx)
    }
  }
}
