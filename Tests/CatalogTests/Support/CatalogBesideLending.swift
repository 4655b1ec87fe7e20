import CatalogConsumers
import CatalogOperations
import CatalogStore
import GoogleProtobuf
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestServices
import TestSupport

@testable import catalog

/// The real service, without callers, following lending alone.
struct CatalogBesideLending: TandemService {
  static let service = OpenCatalog.service
  static let schemas = [RunningCatalog.schema, Producer<LendingName>.schema]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try await OpenCatalog.build(runtime)
    served.follows = [
      .pastLoans(
        BookOperations(
          database: runtime.database, environment: runtime.environment, events: runtime.events, jobs: runtime.jobs,
          lending: nil, termStatistics: TermStatistics(database: runtime.database)))
    ]
    return served
  }

  /// Runs `body` with a lending that publishes what the test asks for, and a connection of the test to the catalog's database.
  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (RunningService, Database) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await RunningService.with(
      Producer<LendingName>.self, on: database, certificates: certificates, as: "catalog"
    ) { lending in
      let follows = ["--lending-address", "127.0.0.1:\(lending.port)"]
      try await RunningService.with(Self.self, on: database, certificates: certificates, follows) { _ in
        try await database.opened(as: "catalog") { own in try await body(lending, own) }
      }
    }
  }
}

extension RunningService {
  /// Publishes a book's status as lending.
  func tell(_ status: LendingStatus, of book: BookID, _ loan: UUID7, to borrower: TestUser) async throws {
    try await tell([
      BookStatusChanged(
        bookID: book.description, ownerID: TestUser.ada.id.description, status: status, loanID: loan.description,
        borrowerID: borrower.id.description, changeTime: Timestamp(seconds: 1_700_000_000))
    ])
  }
}
