import AccountDeletions
import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Postgres
import ProtobufC
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing

@testable import importer

/// The real service, in which a token is the caller's id: `main` runs the same `build`.
struct OpenImporter: TandemService {
  static let service = Importer.service

  /// What each service under test was built from, by the URL of its database.
  static let built = Mutex<[String: Runtime]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = runtime }
    var served = try Importer.build(runtime, authenticator: InsecureAuthenticator())
    // There is no other service to follow.
    served.follows = []
    return served
  }
}

/// A service of its own for one test: a migrated database, a clock that stands still, and clients over TCP.
struct RunningImporter: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database.
  let own: Database
  /// What the service was built from.
  let runtime: Runtime

  var client: RPCClient { service.client }
  var activities: ActivitiesClient { ActivitiesClient(client) }
  var operations: ActivityOperations {
    ActivityOperations(
      environment: runtime.environment, events: runtime.events, work: HeavyWork(workers: 2),
      quota: StorageUse(activities: 100_000, bytes: 1 << 32, stepDays: 100_000, sleeps: 200_000, weights: 200_000))
  }

  static let schema = TestSchema(ImporterSchema.name, ImporterSchema.migrations)

  /// Runs `body` with a service on a database of its own.
  static func with(
    _ arguments: [String] = [], _ body: @escaping @Sendable (RunningImporter) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in try await with(on: database, arguments, body) }
  }

  /// Runs `body` with a service on a database.
  static func with(
    on database: TestDatabase, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningImporter) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    try await RunningService.with(
      OpenImporter.self, on: database, clock: clock, threads: 2, ["--jobs-look-interval", "250ms"] + arguments
    ) { service in
      let runtime = try #require(OpenImporter.built.withLock { $0[database.url(of: "importer")] })
      // What the service was made of ends with it.
      defer { OpenImporter.built.withLock { _ = $0.removeValue(forKey: database.url(of: "importer")) } }
      try await database.opened(as: schema.name) { own in
        try await body(
          RunningImporter(database: database, clock: clock, service: service, own: own, runtime: runtime))
      }
    }
  }

  /// Stores records as an import of a tracker does.
  @discardableResult
  func store(_ batch: ImportedBatch, of user: TestUser = .ada) async throws -> StoredCounts {
    let operations = operations
    let prepared = try await operations.prepared(batch, of: user.id)
    return try await operations.inTurn(of: user.id) {
      try await own.repeatableTransaction { tx in
        try await operations.storeRecords(prepared, from: .provider, of: user.id, by: nil, tx)
      }
    }
  }

  /// Runs one statement of the deletion of an account.
  func remove<R: AccountDeletionStatement>(by removal: R.Type, _ user: TestUser) async throws {
    _ = try await own.write(R(userID: user.id))
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "importer") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

  /// The published messages of a type, in order.
  func told<E: PublishedEvent>(_ type: E.Type) async throws -> [E] {
    let rows = try await sql(
      "select encode(payload, 'hex') from events where type = '\(E.protobufName)' order by transaction_id, id")
    return try rows.compactMap { $0.first ?? nil }.map { try E(serialized: Self.bytes(hexadecimal: $0)) }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
