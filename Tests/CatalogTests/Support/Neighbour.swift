import Ambient
import Events
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestSupport
import Testing

/// A service of a test that runs over TLS beside others.
struct Neighbour: Sendable {
  let port: Int
  let client: RPCClient

  private static let loops = LoopGroup(threads: 1)

  /// Runs `body` beside a service.
  ///
  /// - Parameter caller: the service as which the client calls.
  static func with<S: TandemService>(
    _ type: S.Type, _ name: String, _ database: TestDatabase, _ certificates: SuiteCertificates, clock: ManualClock,
    as caller: String? = nil, _ arguments: [String] = [],
    _ body: @escaping @Sendable (Neighbour) async throws -> Void
  ) async throws {
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try certificates.settings(of: name) + [
          "--threads", "1", "--database-url", database.url(of: name), "--shutdown-grace", "1s",
        ] + arguments))
    let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
    let host = try await ServiceHost.start(
      S.self, settings: settings, ambient: Ambient(clock: clock, randomness: SystemRandomness()), logger: logger)
    let port = host.rpcAddress.port
    let client = RPCClient(
      host: "127.0.0.1", port: port, security: try certificates.client(of: name, as: caller), on: loops.executors[0])
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      try #require(await host.becameReady, "\(name) did not become ready")
      try await body(Neighbour(port: port, client: client))
      await client.close()
      await host.stop()
      try await group.waitForAll()
    }
  }
}

/// Tells who checked in, as matching does: whoever calls it decides.
struct CheckInTeller: TandemService {
  static let service = ServiceDescription(name: "matching", purpose: "Tells", migrations: migrations)
  static let schema = TestSchema("matching", migrations)

  private static let migrations = [EventsSchema.migration(version: 1)]

  static let tell = MethodDescriptor(
    service: "test.v1.CheckInTeller", name: "Tell", kind: .unary, access: .service, idempotent: false)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [Methods(database: runtime.database, events: runtime.events)])
  }

  private struct Methods: RPCService {
    static let serviceName = "test.v1.CheckInTeller"
    let database: Database
    let events: Outbox

    func register(in router: inout Router) {
      router.unary(CheckInTeller.tell) { (call: CheckedIn, _: CallContext) async throws -> CheckedIn in
        try await database.repeatableTransaction { tx in try await events.publish(call, in: tx) }
        return call
      }
    }
  }
}
