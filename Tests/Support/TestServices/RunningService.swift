import Base64
public import Environment
import Cryptography
public import Logging
import LoopExecutor
public import Postgres
public import ServiceRuntime
public import TTRPC
public import TTRPCClient
public import TestSupport
import Testing

/// A service that runs for a test, in the test's process, with a client of it over TCP.
public struct RunningService: Sendable {
  /// The address of the service, on the loopback.
  public let port: Int
  /// The client that the test asked for.
  public let client: RPCClient
  /// How ``client`` connects.
  public let security: RPCClient.Security

  /// The key by which services under test seal, unless a test sets another.
  public static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
  /// The loops of clients, of services and of databases; the services have their own.
  fileprivate static let loops = LoopGroup(threads: 1)

  /// Runs `body` while the service runs on `database`, and is ready.
  ///
  /// - Parameters:
  ///   - clock: what time it is to the service.
  ///   - certificates: those of the suite in which it runs, over TLS; `nil` for a single service, in plaintext.
  ///   - caller: the service whose certificate the client presents, over TLS; `nil` for none.
  ///   - threads: event loops of the service.
  ///   - arguments: further settings, as options.
  /// - Throws: errors of `body`; ``ServiceRuntime/StartupError``; a failure of the test if the service did not become ready.
  public static func with<S: TandemService>(
    _ type: S.Type, on database: TestDatabase, clock: any WallClock = SystemClock(),
    certificates: SuiteCertificates? = nil, as caller: String? = nil, threads: Int = 1, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningService) async throws -> Void
  ) async throws {
    let name = S.service.name
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try (certificates?.settings(of: name) ?? ["--plaintext"]) + [
          "--threads", "\(threads)", "--database-url", database.url(of: name), "--shutdown-grace", "1s",
        ] + seal(of: S.service, unlessIn: arguments) + arguments))
    let host = try await ServiceHost.start(
      S.self, settings: settings, environment: Environment(clock: clock, randomness: SystemRandomness()),
      refused: SeenRefusals.note, logger: .criticalOnly(name))
    let security = try certificates?.client(of: name, as: caller) ?? .plaintext
    let port = host.rpcAddress.port
    let running = RunningService(port: port, client: connected(to: port, by: security), security: security)
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      try #require(await host.becameReady, "\(name) did not become ready")
      if clock is ManualClock, database.hasSharedServer {
        try await database.retryingBusyJobs(of: name) { try await body(running) }
      } else {
        try await body(running)
      }
      await running.client.close()
      await host.stop()
      try await group.waitForAll()
    }
  }

  private static func seal(of service: ServiceDescription, unlessIn arguments: [String]) -> [String] {
    let hasKey = service.allSettings.contains { $0.key == SealSettings.key.description.key }
    return hasKey && !arguments.contains("--seal-key") ? ["--seal-key", sealKey] : []
  }

  /// A further client, which its owner closes.
  public func connected() -> RPCClient { connected(by: security) }

  /// A further client, with any certificate, which its owner closes.
  public func connected(by security: RPCClient.Security) -> RPCClient { Self.connected(to: port, by: security) }

  private static func connected(to port: Int, by security: RPCClient.Security) -> RPCClient {
    RPCClient(host: "127.0.0.1", port: port, security: security, on: loops.executors[0])
  }

  /// Runs `call` so many times concurrently, over eight connections, and returns the outcomes, in no order.
  ///
  /// A caller whom the service tells that its database is busy calls again: nothing was done, and on a machine with much else to do dozens
  /// wait longer than a service lets them.
  public func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await TestSupport.race(callers, over: (0..<8).map { _ in connected() }) { client, caller in
      while true {
        do { return try await call(client, caller) } catch let status as Status where status.isOfBusyDatabase {
          await Task.yield()
        }
      }
    }
  }
}

extension Status {
  /// Whether it says only that too many wait for the database, and that the call may be repeated.
  public var isOfBusyDatabase: Bool {
    reason == "DATABASE_SLOW" || reason == "OVERLOADED" && message.hasPrefix("Too many calls wait for the database")
  }
}

extension TestDatabase {
  /// Runs `body` with a connection of the test's own to the database, in the role of a service.
  ///
  /// - Throws: errors of `body`; ``Postgres/PostgresError`` for an invalid URL.
  public func opened(as service: String, _ body: (Database) async throws -> Void) async throws {
    var configuration = DatabaseConfiguration(url: url(of: service), applicationName: "tests", schema: service)
    // As administration does: a busy server is no failure of what a test is about, nor is a lock that a test holds until all have come.
    configuration.connectTimeout = .seconds(15)
    configuration.timeout = .seconds(60)
    configuration.leaseTimeout = .seconds(60)
    configuration.statementTimeout = .seconds(60)
    configuration.slowStatementTimeout = .seconds(60)
    configuration.idleInTransactionTimeout = .seconds(300)
    let database = try Database(
      configuration, loops: RunningService.loops.executors, logger: .criticalOnly("tests"))
    let result: Result<Void, any Error>
    do { result = .success(try await body(database)) } catch { result = .failure(error) }
    await database.close()
    try result.get()
  }
}

extension Logger {
  /// Writes to standard error what a test's reader must know, and nothing else.
  public static func criticalOnly(_ label: String) -> Logger {
    var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return logger
  }
}
