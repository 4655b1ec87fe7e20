import Ambient
import Cryptography
import Foundation
import Logging
import Postgres
import ServiceRuntime
import Synchronization
import TestSupport
import Testing

/// Services of the suite as they are deployed, each answering over TCP with TLS, and the people whom the table is about.
struct World: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let mail: String
  let servers: [RunningServer]
  let cast: Cast
  let numbers = Numbers()

  /// Runs `body` with identity and the services of these names.
  static func with(
    _ names: Set<String>, _ body: @escaping @Sendable (World) async throws -> Void
  ) async throws {
    let needed = suite.filter { $0.service.name == "identity" || names.contains($0.service.name) }
    let schemas = needed.map { TestSchema($0.service.name, $0.service.migrations) }
    let folder = NSTemporaryDirectory() + "tandem-access-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await TestDatabase.with(schemas) { database in
      let stage = Stage(
        database: database, clock: ManualClock(), certificates: try SuiteCertificates(), mail: "\(folder)/mail")
      try await withThrowingTaskGroup { group in
        var (hosts, servers): ([ServiceHost], [RunningServer]) = ([], [])
        for type in needed {
          let host = try await stage.start(type, besides: servers.first.map { _ in hosts[0].rpcAddress.port })
          hosts.append(host)
          group.addTask { try await host.run() }
          try #require(await host.becameReady, "\(type.service.name) did not become ready")
          servers.append(try RunningServer(type.service.name, port: host.rpcAddress.port, stage.certificates))
        }
        let cast = try await Cast.register(at: servers[0], mail: stage.mail)
        let world = World(
          database: database, clock: stage.clock, mail: stage.mail, servers: servers, cast: cast)
        try await world.waitForNames()
        try await body(world)
        for server in servers { await server.close() }
        for host in hosts.reversed() { await host.stop() }
        try await group.waitForAll()
      }
    }
  }

  var identity: RunningServer { servers[0] }

  /// A service that runs.
  func server(_ name: String) throws -> RunningServer {
    try #require(servers.first { $0.name == name }, "there is no service \(name)")
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] {
    try await Administration.session(database.url) { try $0.run(text) }
  }

  /// The catalog shows what people are called only once it has heard of it.
  private func waitForNames() async throws {
    guard servers.contains(where: { $0.name == "catalog" }) else { return }
    try await eventually("the catalog knows everybody's name") {
      try await sql("select count(*) from catalog.people where username <> ''") == [["\(Cast.size)"]] ? true : nil
    }
  }
}

/// What all services of a test run on.
private struct Stage: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let certificates: SuiteCertificates
  let mail: String

  private static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 7, count: 32))

  /// - Parameter port: identity's; `nil` when that is what is started.
  func start<S: TandemService>(_ type: S.Type, besides port: Int?) async throws -> ServiceHost {
    let name = S.service.name
    let all = [
      ("seal-key", Self.sealKey), ("mail", "folder:\(mail)"), ("unsubscribe-url", "https://tandem.example/u"),
      ("threads", "1"), ("database-url", database.url(of: name)), ("shutdown-grace", "1s"),
    ]
    let own = Set(S.service.allSettings.map(\.key))
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try certificates.settings(of: name)
          + all.filter { own.contains($0.0) }.flatMap { ["--\($0.0)", $0.1] }
          + (port.map { ["--identity-address", "127.0.0.1:\($0)"] } ?? [])))
    var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return try await ServiceHost.start(
      S.self, settings: settings, ambient: Ambient(clock: clock, randomness: SystemRandomness()), logger: logger)
  }
}

/// Numbers that no one else has.
final class Numbers: Sendable {
  private let count = Mutex(0)

  /// 1, 2, 3 and so on.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  /// The one that was given out last.
  var last: Int { count.withLock { $0 } }
}
