import CatalogStore
import Events
import GoogleProtobuf
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestServices
import TestSupport

@testable import catalog

/// Lending as far as others hear of it: whoever calls it decides what happened.
struct LoanTeller: TandemService {
  static let service = ServiceDescription(
    name: "lending", purpose: "Tells", migrations: migrations)
  static let schema = TestSchema("lending", migrations)

  private static let migrations = [EventsSchema.migration(version: 1)]

  fileprivate static let tell = MethodDescriptor(
    service: "test.v1.LoanTeller", name: "Tell", kind: .unary, access: .public, idempotent: false)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [TellerMethods(database: runtime.database, events: runtime.events)])
  }

  /// Runs `body` beside a catalog that follows lending, with a way of its own to the catalog's database.
  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (RPCClient, Database) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await RunningService.with(LoanTeller.self, on: database, certificates: certificates) { lending in
      let follows = ["--lending-address", "127.0.0.1:\(lending.port)"]
      try await RunningService.with(CatalogBesideLending.self, on: database, certificates: certificates, follows) { _ in
        try await database.opened(as: "catalog") { own in try await body(lending.client, own) }
      }
    }
  }
}

/// The real service, which nobody calls and which follows lending alone.
private struct CatalogBesideLending: TandemService {
  static let service = OpenCatalog.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try await OpenCatalog.build(runtime)
    served.follows = [.pastLoans(runtime.jobs)]
    return served
  }
}

private struct TellerMethods: RPCService {
  static let serviceName = "test.v1.LoanTeller"
  let database: Database
  let events: Outbox

  func register(in router: inout Router) {
    router.unary(LoanTeller.tell) { (event: BookStatusChanged, _: CallContext) async throws -> BookStatusChanged in
      try await database.repeatableTransaction { tx in try await events.publish(event, in: tx) }
      return event
    }
  }
}

extension RPCClient {
  /// Has lending say what became of a book.
  func tell(_ status: LendingStatus, of book: BookID, _ loan: UUID7, to borrower: Someone) async throws {
    let event = BookStatusChanged(
      bookID: book.description, ownerID: Someone.ada.id.description, status: status, loanID: loan.description,
      borrowerID: borrower.id.description, changeTime: Timestamp(seconds: 1_700_000_000))
    let _: BookStatusChanged = try await call(LoanTeller.tell, event, CallOptions())
  }
}
