import CatalogDomain
import CatalogOperations
import CatalogStore
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemCatalog
import TestServices
import TestSupport
import Testing
import Usernames

@testable import catalog

/// The real service, in which a token is the caller's id: `main` runs the same `build`.
struct OpenCatalog: TandemService {
  static let service = Catalog.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try Catalog.build(runtime, authenticator: InsecureAuthenticator())
    // There is no other service to follow.
    served.follows = []
    return served
  }
}

/// A service of its own for one test: a migrated database, a clock that stands still, and clients over TCP.
struct RunningCatalog: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database, like that of the consumer of lending's events.
  let own: Database

  var client: RPCClient { service.client }
  var books: BooksClient { BooksClient(client) }

  static let schema = TestSchema(CatalogSchema.name, CatalogSchema.migrations)

  /// Runs `body` with a service on a database of its own, in which Ada and Grace have their names.
  ///
  /// - Parameters:
  ///   - preparation: a statement that is run before the service starts; `nil` for none.
  ///   - arguments: further settings, as options.
  static func with(
    after preparation: String? = nil, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningCatalog) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in
      if let preparation { try await database.sql(preparation, in: schema.name) }
      let clock = ManualClock()
      try await RunningService.with(OpenCatalog.self, on: database, clock: clock, threads: 2, arguments) { service in
        try await beside(service, database, clock) { running in
          for one in [TestUser.ada, .grace] { try await running.own.write(NameUsers([Naming(one.id, one.name)])) }
          try await body(running)
        }
      }
    }
  }

  /// Runs `body` with a service that is running already.
  static func beside(
    _ service: RunningService, _ database: TestDatabase, _ clock: ManualClock,
    _ body: (RunningCatalog) async throws -> Void
  ) async throws {
    try await database.opened(as: schema.name) { own in
      try await body(RunningCatalog(database: database, clock: clock, service: service, own: own))
    }
  }

  /// Adds a book; fields that the test does not name have arbitrary values.
  @discardableResult
  func add(
    _ title: String, by authors: [String] = ["Frank Herbert"], isbn: String = "9780441172719",
    description: String = "A copy that was read once.", as owner: TestUser = .ada
  ) async throws -> Book {
    // Ids tell which book was added first.
    clock.advance(by: .milliseconds(1))
    return try await books.addBook(
      AddBookRequest(
        book: Book(title: title, authors: authors, isbn: isbn, description: description), titleConfirmed: true),
      owner.options)
  }

  /// Does what the consumer of lending's events will do.
  func lend(_ book: Book, _ status: CatalogDomain.BookStatus, to borrower: TestUser? = nil) async throws {
    let id = try #require(BookID(book.bookID))
    let told = BookAvailability(id, status, borrower: borrower.map { "\($0.id)" } ?? "")
    try await inTransaction { tx in try await operations.tell([told], tx) }
  }

  /// Stores a bibliographic record.
  func know(_ isbn: String, _ titles: [String], by authors: [String], year: Int?, language: String) async throws {
    func list(_ texts: [String]) -> String {
      "array[\(texts.map { Administration.quoted(literal: $0) }.joined(separator: ","))]::text[]"
    }
    try await sql(
      """
      insert into editions (source, source_id, isbn, titles, authors, year, language)
      values ('test', '1', \(isbn), \(list(titles)), \(list(authors)), \(year.map(String.init) ?? "null"), '\(language)')
      """)
  }

  /// Runs `call` so many times concurrently, over several connections, and returns the outcomes.
  func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (BooksClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await service.race(callers) { client, caller in try await call(BooksClient(client), caller) }
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "catalog") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }
}
