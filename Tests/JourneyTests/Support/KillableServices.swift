import Base64
import Cryptography
import Foundation
import LoopExecutor
import TTRPCClient
import TestSupport
import Testing

/// Services as processes of their own, on a database server of their own: each of them can be killed and started again.
///
/// Without others they are identity, the catalog and lending. `tracking#2` is a further replica of tracking; it calls the second replicas
/// of the others, where there are some.
final class KillableServices {
  /// What is killed.
  enum Part: String, CaseIterable {
    case lending
    case catalog
    case database
    case matching
  }

  private let services: [String]
  private static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 9, count: 32))

  /// All users come from one address and one mail domain, and new ones take the places of those who have left.
  private static let registrations = ["of-address", "of-domain", "in-all"].flatMap {
    ["--registrations-\($0)", "1000000/1h"]
  }

  private let database: TestDatabase
  private let cluster: PrivateCluster
  let certificates: SuiteCertificates
  private let clock: FakeTime?
  private let more: [String: [String]]
  private let mail: String
  private(set) var ports: [String: Int] = [:]
  private var processes: [String: Process] = [:]

  /// - Parameters:
  ///   - services: which are started, identity among them.
  ///   - clock: that of the services; `nil` for the true time.
  ///   - lifetime: of the certificates.
  ///   - more: further settings, as options, by the programs' names.
  init(
    _ database: TestDatabase, on cluster: PrivateCluster, _ services: [String] = ["identity", "catalog", "lending"],
    clock: FakeTime? = nil, lifetime: Duration = .seconds(3_600), more: [String: [String]] = [:]
  ) throws {
    self.services = services
    self.clock = clock
    self.more = more
    self.database = database
    self.cluster = cluster
    // A clock that is set goes on by days.
    certificates = try SuiteCertificates(lifetime: clock == nil ? lifetime : .seconds(90 * 86_400))
    mail = NSTemporaryDirectory() + "mail-\(UUID().uuidString)"
    for service in services { ports[service] = try FreePort.take() }
    for service in services { try start(service) }
  }

  /// A client of a service, which finds it again after it was killed.
  ///
  /// - Parameter caller: whose certificate it presents; `nil` for none.
  func client(of service: String, as caller: String? = nil, on loops: LoopGroup) throws -> RPCClient {
    RPCClient(
      host: "127.0.0.1", port: try #require(ports[service]),
      security: try certificates.client(of: Self.program(of: service), as: caller),
      on: loops.executors[0])
  }

  /// Kills one of them as by `kill -9`, or as a crash of the database server would, and starts it again.
  func kill(_ part: Part) throws {
    switch part {
    case .database: try restartDatabase()
    case .lending, .catalog, .matching: try restart(part.rawValue)
    }
  }

  /// Ends the database server as its crash would, and starts it again.
  func restartDatabase() throws {
    try cluster.stopServer(mode: "immediate")
    try cluster.startServer()
  }

  /// Kills a service as by `kill -9`, and starts it again.
  func restart(_ service: String) throws {
    stop(service)
    try start(service)
  }

  func end() {
    for service in processes.keys { stop(service) }
    // A temporary folder that stays is the system's to remove.
    try? FileManager.default.removeItem(atPath: mail)
  }

  /// Kills a service for good.
  func stop(_ service: String) {
    guard let process = processes.removeValue(forKey: service) else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func program(of service: String) -> String { String(service.prefix { $0 != "#" }) }

  /// The folder of the programs: that of the tests, which are not optimised, or the one that `CHAOS_PROGRAMS` names.
  private static var programs: URL {
    if let folder = ProcessInfo.processInfo.environment["CHAOS_PROGRAMS"] { return URL(fileURLWithPath: folder) }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// Where a replica reaches the other services.
  private func addresses(for service: String) throws -> [String] {
    let replica = service.drop { $0 != "#" }
    return try services.filter { !$0.contains("#") && Self.program(of: service) != $0 }.flatMap { other in
      ["--\(other)-address", "127.0.0.1:\(try #require(ports[other + replica] ?? ports[other]))"]
    }
  }

  /// Starts a service, which was stopped.
  func start(_ service: String) throws {
    let program = Self.program(of: service)
    let process = Process()
    process.executableURL = Self.programs.appendingPathComponent(program)
    let own = [
      "--listen", "127.0.0.1:\(try #require(ports[service]))", "--database-url", database.url(of: program),
      "--seal-key", Self.sealKey, "--log-level", ProcessInfo.processInfo.environment["CHAOS_LOG"] ?? "critical",
    ]
    let settings =
      try certificates.settings(of: program) + addresses(for: service) + own + (more[program] ?? [])
      + (program == "identity" ? ["--mail", "folder:\(mail)"] + Self.registrations : [])
      + (program == "matching" ? ["--jobs-look-interval", "100ms"] : [])
    if let clock {
      // No arguments: Swift does not find them once a library that was preloaded has changed the environment.
      let variables = stride(from: 0, to: settings.count, by: 2).map { place in
        let name = settings[place].dropFirst(2).uppercased().replacing("-", with: "_")
        return ("TANDEM_\(name)", settings[place + 1])
      }
      process.environment = ProcessInfo.processInfo.environment.merging(clock.environment) { $1 }
        .merging(variables) { $1 }
    } else {
      process.arguments = settings
    }
    try Children.start { try process.run() }
    processes[service] = process
  }
}
