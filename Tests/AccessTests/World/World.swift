import Base64
import Environment
import Cryptography
import Foundation
import Logging
import Postgres
import ServiceRuntime
import Synchronization
import TestServices
import TestSupport
import Testing

/// Services of the suite as deployed, each answering over TCP with TLS, and the users of the table.
struct World: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let mail: String
  let certificates: SuiteCertificates
  let servers: [RunningServer]
  let cast: Cast
  /// The provider that users can log in by.
  let provider: SoftProvider
  let numbers = Numbers()

  /// The services that a service calls, beside identity.
  private static let asked: [String: Set<String>] = ["lending": ["catalog"], "matching": ["catalog"]]

  /// Runs `body` with identity, the services of these names, and those that they call.
  static func with(
    _ names: Set<String>, _ body: @escaping @Sendable (World) async throws -> Void
  ) async throws {
    let wanted = names.union(names.flatMap { asked[$0] ?? [] }).union(["identity"])
    let needed = suite.filter { wanted.contains($0.service.name) }
    let schemas = needed.map { TestSchema($0.service.name, $0.service.migrations) }
    let folder = NSTemporaryDirectory() + "tandem-access-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await TestDatabase.with(schemas) { database in
      let provider = try await SoftProvider(in: folder)
      defer { provider.close() }
      let stage = Stage(
        database: database, clock: ManualClock(), certificates: try SuiteCertificates(), mail: "\(folder)/mail",
        provider: provider, trackers: try Stage.trackers(in: folder))
      try await withThrowingTaskGroup { group in
        var (hosts, servers): ([ServiceHost], [RunningServer]) = ([], [])
        for type in needed {
          let ports = zip(servers, hosts).map { (name: $0.name, port: $1.rpcAddress.port) }
          let host = try await stage.start(type, besides: ports)
          hosts.append(host)
          group.addTask { try await host.run() }
          try #require(await host.becameReady, "\(type.service.name) did not become ready")
          servers.append(try RunningServer(type.service.name, port: host.rpcAddress.port, stage.certificates))
        }
        let cast = try await Cast.register(at: servers[0], mail: stage.mail)
        let world = World(
          database: database, clock: stage.clock, mail: stage.mail, certificates: stage.certificates, servers: servers,
          cast: cast, provider: provider)
        try await world.waitForNews()
        try await body(world)
        for server in servers { await server.close() }
        for host in hosts.reversed() { await host.stop() }
        try await group.waitForAll()
      }
    }
  }

  var identity: RunningServer { servers[0] }

  /// A running service.
  func server(_ name: String) throws -> RunningServer {
    try #require(servers.first { $0.name == name }, "there is no service \(name)")
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] {
    try await database.sql(text)
  }

  /// Waits until the other services have received usernames and blocks.
  private func waitForNews() async throws {
    for server in servers where ["catalog", "lending", "matching", "tracking"].contains(server.name) {
      try await eventually("\(server.name) knows everybody's name, and who is blocked") {
        let named = "select count(*) from \(server.name).users where username <> ''"
        let known = try await sql("select (\(named)), (select count(*) from \(server.name).blocks)")
        return known == [["\(Cast.size)", "1"]] ? true : nil
      }
    }
  }
}

/// What all services of a test share.
private struct Stage: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let certificates: SuiteCertificates
  let mail: String
  let provider: SoftProvider
  /// The file of the trackers that users can connect; their provider is not called.
  let trackers: String

  static func trackers(in folder: String) throws -> String {
    let secrets = #""client_secret_file":"tracker-secret","webhook_secret_file":"tracker-secret""#
    let file = #"{"trackers":[{"id":"strava","client_id":"tandem",\#(secrets)}]}"#
    try "secret".write(toFile: "\(folder)/tracker-secret", atomically: true, encoding: .utf8)
    try file.write(toFile: "\(folder)/trackers.json", atomically: true, encoding: .utf8)
    return "\(folder)/trackers.json"
  }

  private static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 7, count: 32))

  /// - Parameter others: the addresses of the services that were started before.
  func start<S: TandemService>(
    _ type: S.Type, besides others: [(name: String, port: Int)]
  ) async throws -> ServiceHost {
    let name = S.service.name
    let given: [(String, String)] = [
      ("seal-key", Self.sealKey), ("mail", "folder:\(mail)"), ("unsubscribe-url", "https://tandem.example/u"),
      ("trackers", trackers), ("threads", "1"), ("database-url", database.url(of: name)), ("shutdown-grace", "1s"),
    ]
    let all = given + provider.settings + others.map { ("\($0.name)-address", "127.0.0.1:\($0.port)") }
    let own = Set(S.service.allSettings.map(\.key))
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try certificates.settings(of: name)
          + all.filter { own.contains($0.0) }.flatMap { ["--\($0.0)", $0.1] }))
    var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return try await ServiceHost.start(
      S.self, settings: settings, environment: Environment(clock: clock, randomness: SystemRandomness()),
      refused: SeenRefusals.note, logger: logger)
  }
}

/// Unique numbers.
final class Numbers: Sendable {
  private let count = Mutex(0)

  /// 1, 2, 3 and so on.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  /// The last number that was returned.
  var last: Int { count.withLock { $0 } }
}
