import Cryptography
import Foundation
import IdentityStore
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemIdentity
import TestServices
import TestSupport

@testable import identity

/// The real service with a cheap password hash: `main` runs the same `build`.
struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests, places: 256))
  }
}

/// A service of its own for one test: a migrated database, a mail folder, a clock that stands still, and clients over TCP.
struct RunningIdentity: Sendable {
  let database: TestDatabase
  let mailFolder: String
  let clock: ManualClock
  let service: RunningService

  var port: Int { service.port }
  var client: RPCClient { service.client }
  var accounts: AccountsClient { AccountsClient(client) }
  var profiles: ProfilesClient { ProfilesClient(client) }

  static let schema = TestSchema(IdentitySchema.name, IdentitySchema.migrations)
  static let sealKey = RunningService.sealKey

  /// Runs `body` with a service on a database of its own.
  static func with<Service: TandemService>(
    _ service: Service.Type = CheapIdentity.self, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in
      try await with(service, on: database, clock: ManualClock(), arguments, body)
    }
  }

  /// Runs `body` with a service on `database`, which may be shared, and clients that present the certificate of `caller`.
  static func with<Service: TandemService>(
    _ service: Service.Type = CheapIdentity.self, on database: TestDatabase, clock: ManualClock,
    certificates: SuiteCertificates? = nil, as caller: String? = nil, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "tandem-identity-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let mail = arguments.contains("--mail") ? [] : ["--mail", "folder:\(folder)/mail"]
    try await RunningService.with(
      service, on: database, clock: clock, certificates: certificates, as: caller, mail + arguments
    ) { service in
      try await body(
        RunningIdentity(database: database, mailFolder: "\(folder)/mail", clock: clock, service: service))
    }
  }

  /// A further client, with any certificate.
  func connected(by security: RPCClient.Security) -> RPCClient { service.connected(by: security) }

  /// A client that is a service of the suite; `body` has it to itself.
  func with<R: Sendable>(
    client service: String, _ certificates: SuiteCertificates, _ body: (RPCClient) async throws -> R
  ) async throws -> R {
    let client = connected(by: try certificates.client(of: "identity", as: service))
    let result: Result<R, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }

  /// `count` clients with a connection each.
  func clients(_ count: Int) -> [RPCClient] { (0..<count).map { _ in service.connected() } }

  /// Runs `call` so many times concurrently, over several connections, and returns the outcomes.
  func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await service.race(callers, call)
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "identity") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }
}
