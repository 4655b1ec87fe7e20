import Base64
import Cryptography
import Foundation
import LoopExecutor
import TTRPCClient
import TestSupport
import Testing

/// Identity, the catalog and lending as processes of their own, on a database server of their own: each of them can be killed and started again.
final class KillableServices {
  /// What is killed.
  enum Part: String, CaseIterable {
    case lending
    case catalog
    case database
  }

  private static let services = ["identity", "catalog", "lending"]
  private static let sealKey = "test:" + Base64URL.encode([UInt8](repeating: 9, count: 32))

  private let database: TestDatabase
  private let cluster: PrivateCluster
  private let certificates: SuiteCertificates
  private let mail: String
  private var ports: [String: Int] = [:]
  private var processes: [String: Process] = [:]

  init(_ database: TestDatabase, on cluster: PrivateCluster) throws {
    self.database = database
    self.cluster = cluster
    certificates = try SuiteCertificates()
    mail = NSTemporaryDirectory() + "mail-\(UUID().uuidString)"
    for service in Self.services { ports[service] = try FreePort.take() }
    for service in Self.services { try start(service) }
  }

  /// A client of a service, which finds it again after it was killed.
  func client(of service: String, on loops: LoopGroup) throws -> RPCClient {
    RPCClient(
      host: "127.0.0.1", port: try #require(ports[service]), security: try certificates.client(of: service),
      on: loops.executors[0])
  }

  /// Kills one of them as by `kill -9`, or as a crash of the database server would, and starts it again.
  func kill(_ part: Part) throws {
    switch part {
    case .database:
      try cluster.stopServer(mode: "immediate")
      try cluster.startServer()
    case .lending, .catalog:
      stop(part.rawValue)
      try start(part.rawValue)
    }
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

  private func start(_ service: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(service)
    let others = try Self.services.filter { $0 != service }.flatMap { other in
      ["--\(other)-address", "127.0.0.1:\(try #require(ports[other]))"]
    }
    let own = [
      "--listen", "127.0.0.1:\(try #require(ports[service]))", "--database-url", database.url(of: service),
      "--seal-key", Self.sealKey, "--log-level", ProcessInfo.processInfo.environment["CHAOS_LOG"] ?? "critical",
    ]
    process.arguments =
      try certificates.settings(of: service) + others + own
      + (service == "identity" ? ["--mail", "folder:\(mail)"] : [])
    try Children.start { try process.run() }
    processes[service] = process
  }
}
