import Environment
import Events
import Identifiers
import LendingDomain
import LendingStore
import Postgres
import ProtobufC
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemLending
import TestServices
import TestSupport
import Testing
import Usernames

@testable import lending

/// The real service, in which a token is the caller's id: `main` runs the same `build`.
struct OpenLending: TandemService {
  static let service = Lending.service

  /// What each service under test was built from, by the URL of its database.
  static let built = Mutex<[String: (runtime: Runtime, catalog: TestCatalog)]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let catalog = TestCatalog()
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = (runtime, catalog) }
    var served = try Lending.build(runtime, authenticator: InsecureAuthenticator(), catalog: catalog)
    // There is no other service to follow.
    served.follows = []
    return served
  }
}

extension CallOptions {
  /// As the catalog.
  static let catalog = CallOptions.token("catalog", timeout: .seconds(60))
}

/// A book that lending knows.
struct ListedBook: Sendable {
  let id: BookID
  let owner: TestUser

  static let isbn = "9780441172719"

  var text: String { id.description }
}

/// A service of its own for one test: a migrated database, a clock that stands still, and clients over TCP.
struct RunningLending: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database, like that of the consumers of other services' events.
  let own: Database
  /// What the service was built from.
  let runtime: Runtime
  let catalog: TestCatalog

  var client: RPCClient { service.client }
  var loans: LoansClient { LoansClient(client) }

  static let schema = TestSchema(LendingSchema.name, LendingSchema.migrations)
  static let place = TandemLending.Pickup(place: .point(Point(latitude: 51.5, longitude: -0.12)))

  /// Runs `body` with a service on a database of its own, in which Ada, Grace and Alan have their names.
  static func with(_ body: @escaping @Sendable (RunningLending) async throws -> Void) async throws {
    try await TestDatabase.with([schema]) { try await run(on: $0, body) }
  }

  private static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (RunningLending) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    try await RunningService.with(
      OpenLending.self, on: database, clock: clock, threads: 2, ["--jobs-look-interval", "250ms"]
    ) { service in
      let (runtime, catalog) = try #require(OpenLending.built.withLock { $0[database.url(of: "lending")] })
      // What the service was made of ends with it.
      defer { OpenLending.built.withLock { _ = $0.removeValue(forKey: database.url(of: "lending")) } }
      try await database.opened(as: schema.name) { own in
        for one in [TestUser.ada, .grace, .alan] { try await own.write(NameUsers([Naming(one.id, one.name)])) }
        try await body(
          RunningLending(
            database: database, clock: clock, service: service, own: own, runtime: runtime, catalog: catalog))
      }
    }
  }

  /// Runs `body` in a transaction as a consumer does, and repeats it if dozens of a test compete for connections.
  func inTransaction(_ body: @Sendable (Transaction) async throws -> Void) async throws {
    while true {
      do {
        return try await own.repeatableTransaction { tx in try await body(tx) }
      } catch let error as PostgresError where error.isOverloaded {
        // Nothing was done.
        await Task.yield()
      }
    }
  }

  // MARK: Events of other services

  /// Does what the consumer of the catalog's events does with a book.
  @discardableResult
  func list(_ title: String = "Dune", of owner: TestUser = .ada) async throws -> ListedBook {
    let book = ListedBook(id: BookID(SystemRandomness().uuid7(at: clock.now)), owner: owner)
    let isbn = try #require(ISBN(ListedBook.isbn))
    let put = PutBook(
      ownerID: owner.id, bookID: book.id, isbn: isbn, title: title, description: "A copy that was read once.")
    try await inTransaction { tx in try await put.keep(in: tx) }
    return book
  }

  // MARK: What users do

  func request(_ book: ListedBook, as borrower: TestUser = .grace) async throws -> Loan {
    clock.advance(by: .milliseconds(1))
    return try await loans.requestBook(RequestBookRequest(bookID: book.text), borrower.options)
  }

  func accept(_ loan: Loan, as owner: TestUser = .ada) async throws -> Loan {
    try await loans.acceptRequest(AcceptRequestRequest(loanID: loan.loanID, pickup: Self.place), owner.options)
  }

  func confirmHandover(_ loan: Loan, as user: TestUser, isbn: String = ListedBook.isbn) async throws -> Loan {
    try await loans.confirmHandover(ConfirmHandoverRequest(loanID: loan.loanID, isbn: isbn), user.options)
  }

  func confirmReturn(
    _ loan: Loan, as user: TestUser, isbn: String = ListedBook.isbn, comment: String = ""
  ) async throws -> Loan {
    try await loans.confirmReturn(
      ConfirmReturnRequest(loanID: loan.loanID, isbn: isbn, comment: comment), user.options)
  }

  /// Takes all steps until the borrower has the book.
  func lend(_ book: ListedBook, to borrower: TestUser = .grace) async throws -> Loan {
    let loan = try await accept(try await request(book, as: borrower), as: book.owner)
    _ = try await confirmHandover(loan, as: book.owner)
    return try await confirmHandover(loan, as: borrower)
  }

  /// Runs `call` so many times concurrently, over several connections, and returns the outcomes.
  func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (LoansClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await service.race(callers) { client, caller in
      while true {
        do { return try await call(LoansClient(client), caller) } catch let status as Status where status.isBusy {
          // Nothing was done; on a machine with much else to do dozens wait longer than a service lets them.
          await Task.yield()
        }
      }
    }
  }

  // MARK: What is stored

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "lending") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

  /// The status of a book.
  func status(of book: ListedBook) async throws -> String? {
    try await value("select status from books where id = '\(book.id)'")
  }

  /// The steps that were taken with a book, in order: `REQUEST AVAILABLE>REQUESTED`.
  func steps(of book: ListedBook) async throws -> [String] {
    try await sql(
      """
      select step || ' ' || previous_status || '>' || status from history where book_id = '\(book.id)' order by number
      """
    ).compactMap { $0.first ?? nil }
  }

  /// The published messages of a type, in order.
  func told<E: PublishedEvent>(_ type: E.Type) async throws -> [E] {
    let rows = try await sql(
      "select encode(payload, 'hex') from events where type = '\(E.protobufName)' order by transaction_id, id")
    return try rows.compactMap { $0.first ?? nil }.map { try E(serialized: Hexadecimal.bytes($0)) }
  }
}

extension Status {
  /// Whether it says only that the service is overloaded and the call may be repeated.
  fileprivate var isBusy: Bool { ["OVERLOADED", "CONCURRENT_CHANGE", "DATABASE_SLOW"].contains(reason) }
}

extension Array {
  /// The reasons of the refusals.
  func reasons<Success>() -> [String] where Element == Result<Success, any Error> {
    compactMap { if case .failure(let error) = $0 { (error as? Status)?.reason ?? "\(error)" } else { nil } }
  }
}
