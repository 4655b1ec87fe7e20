import Ambient
import Cryptography
import Foundation
import IdentityStore
import Identifiers
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

/// The real service with passwords that are cheap to check: `main` runs the same `build`.
struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}

/// A service of its own for one test: a migrated database, a mail folder, a clock that stands still, and clients over TCP.
struct RunningIdentity: Sendable {
  let database: TestDatabase
  let mailFolder: String
  let clock: ManualClock
  let port: Int
  let client: RPCClient
  /// How `client`, and whoever shows nothing else of itself, connects.
  private let security: RPCClient.Security

  var accounts: AccountsClient { AccountsClient(client) }
  var profiles: ProfilesClient { ProfilesClient(client) }

  static let schema = TestSchema(IdentitySchema.name, IdentitySchema.migrations)
  static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
  /// Clients' loops; the services under test have their own.
  private static let loops = LoopGroup(threads: 1)

  /// Runs `body` with a service on a database of its own.
  static func with<Service: TandemService>(
    _ service: Service.Type = CheapIdentity.self, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in
      try await with(service, on: database, clock: ManualClock(), arguments, body)
    }
  }

  /// Runs `body` with a service on `database`, which others may use too.
  static func with<Service: TandemService>(
    _ service: Service.Type = CheapIdentity.self, on database: TestDatabase, clock: ManualClock,
    certificates: SuiteCertificates? = nil, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "tandem-identity-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let settings = try Settings.resolve(
      service.service.allSettings, service: "identity",
      from: SettingSources(
        arguments: try (certificates?.settings(of: "identity") ?? ["--plaintext"]) + [
          "--threads", "1", "--database-url", database.url(of: "identity"), "--shutdown-grace", "1s",
        ] + (arguments.contains("--seal-key") ? [] : ["--seal-key", sealKey])
          + (arguments.contains("--mail") ? [] : ["--mail", "folder:\(folder)/mail"]) + arguments))
    var logger = Logger(label: "identity") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    let host = try await ServiceHost.start(
      service, settings: settings, ambient: Ambient(clock: clock, randomness: SystemRandomness()), logger: logger)
    let security = try certificates?.client(of: "identity") ?? .plaintext
    let running = RunningIdentity(
      database: database, mailFolder: "\(folder)/mail", clock: clock, port: host.rpcAddress.port,
      client: connect(host.rpcAddress.port, security), security: security)
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      try #require(await host.becameReady, "the service did not become ready")
      try await body(running)
      await running.client.close()
      await host.stop()
      try await group.waitForAll()
    }
  }

  private static func connect(_ port: Int, _ security: RPCClient.Security) -> RPCClient {
    RPCClient(host: "127.0.0.1", port: port, security: security, on: loops.executors[0])
  }

  /// One more client, with whatever it shows of itself.
  func connected(by security: RPCClient.Security) -> RPCClient { Self.connect(port, security) }

  /// A client that is a service of the suite; `body` has it to itself.
  func with<R: Sendable>(
    client service: String, _ certificates: SuiteCertificates, _ body: (RPCClient) async throws -> R
  ) async throws -> R {
    let client = Self.connect(port, try certificates.client(of: "identity", as: service))
    let result: Result<R, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }

  /// `count` clients with a connection each.
  func clients(_ count: Int) -> [RPCClient] { (0..<count).map { _ in Self.connect(port, security) } }

  /// Runs `call` so many times at once, over several connections, and returns how each went.
  func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await TestSupport.race(callers, over: clients(8), call)
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] {
    try await Administration.session(database.url) { session in
      try session.run("set search_path to identity")
      return try session.run(text)
    }
  }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }
}
