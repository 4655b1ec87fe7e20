import Foundation
import GRPCHealth
import LoopExecutor
import NIOPosix
import Postgres
import TTRPC
import TTRPCClient
import TTRPCServer
import TestSupport
import Testing

@testable import ServiceRuntime

/// Connections from many addresses of this machine that say nothing.
private final class IdleClients: Sendable {
  private let sockets: [Int32]

  /// Opens `count` connections to `port`, from eight addresses in turn.
  init(_ count: Int, to port: Int) throws {
    sockets = try (0..<count).map { try Self.connect(to: port, from: UInt32($0 % 8) + 2) }
  }

  deinit { for socket in sockets { close(socket) } }

  private static func connect(to port: Int, from host: UInt32) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0, "errno \(errno)")
    let isBound = withAddress(host, 0) { bind(descriptor, $0, $1) }
    try #require(isBound == 0, "errno \(errno)")
    let isConnected = withAddress(1, port) { Glibc.connect(descriptor, $0, $1) }
    try #require(isConnected == 0, "errno \(errno)")
    return descriptor
  }

  private static func withAddress(
    _ host: UInt32, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: (0x7F00_0000 | host).bigEndian)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}

@Suite("A service that may open few files", .ownThreads, .timeLimit(.minutes(5)))
struct DescriptorTests {
  /// What `pg_stat_activity` knows of the service's connections, by their backends' ids.
  private func backends(_ database: String) async throws -> Set<String> {
    let rows = try await Administration.session(try TestCluster.shared().url) { session in
      try session.run("select pid from pg_stat_activity where datname = $1", [database])
    }
    return Set(rows.compactMap { $0.first ?? nil })
  }

  @Test(
    "keeps some for its database and its operators, says which limit it lowers, and serves again when idle clients go")
  func reserve() async throws {
    let url = try await freshDatabase("descriptors")
    let database = try #require(url.split(separator: "/").last?.split(separator: "?").first.map(String.init))
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess(
      ["--plaintext", "--threads=2", "--ready-file", file], environment: ["TANDEM_DATABASE_URL": url], openFiles: 300)
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let ready = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
    let admin = try #require(HostPort(ready["admin"] as? String ?? ""))
    let rpc = try #require(HostPort(ready["rpc"] as? String ?? ""))

    do {
      let idle = try await NIOThreadPool.singleton.runIfActive { try IdleClients(400, to: rpc.port) }
      #expect(try await request(admin, "GET /livez").hasPrefix("HTTP/1.1 200 OK"))
      let before = try await backends(database)
      #expect(!before.isEmpty)
      _ = try await Administration.session(try TestCluster.shared().url) { session in
        try session.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database])
      }
      try await until("the database is connected anew") {
        let (now, page) = (try await backends(database), try await request(admin, "GET /readyz"))
        return now.count >= before.count && now.isDisjoint(with: before) && page.hasPrefix("HTTP/1.1 200 OK")
      }
      withExtendedLifetime(idle) {}
    }

    let loops = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: rpc.port, security: .plaintext, on: loops.executors[0])
    _ = try await HealthClient(client).check(HealthCheckRequest(), CallOptions(timeout: .seconds(60)))
    await client.close()
    try await loops.shutdown()
    service.signal(SIGTERM)
    let ending = try await service.ending()
    #expect(ending.status == 0)
    let warnings = ending.complaints.filter { $0.contains("open files") }
    #expect(warnings.count == 1, "\(ending.complaints)")
    let line = warnings.first ?? ""
    #expect(
      line.contains("\"max-connections\"") && line.contains("\"open_files\":\"300\"") && line.contains("ulimit -Hn"))
  }

  @Test("clients get what the service does not need itself; of one address half of that, unless an operator says more")
  func shares() throws {
    let few = DescriptorShares(limit: 1_024, open: 40, loops: 4)
    #expect(few.reserve == 176 && few.clients == 808)
    var limits = RPCServer.Limits()
    #expect(try few.lower(&limits, isAddressLimitAsked: false))
    #expect(limits.connections == 808 && limits.connectionsPerAddress == 404)
    limits = RPCServer.Limits()
    #expect(try few.lower(&limits, isAddressLimitAsked: true))
    #expect(limits.connections == 808 && limits.connectionsPerAddress == 808)
    #expect(try !DescriptorShares(limit: 20_000, open: 40, loops: 4).lower(&limits, isAddressLimitAsked: false))
    #expect(limits.connections == 808)
  }

  @Test("does not start with fewer than its own work needs, and says how many that are")
  func tooFew() async throws {
    let ending = try await ServiceProcess(
      ["--plaintext", "--threads=2", "--database-url=postgresql://x@h/t"], openFiles: 128
    ).ending()
    #expect(ending.status == 1)
    // The log is written beside it, and may come later.
    let refusal = "notes: the process may have 128 files open, and needs at least "
    let line = try #require(ending.complaints.first { $0.hasPrefix(refusal) }, "\(ending.complaints)")
    #expect(line.contains("ulimit -Hn"))
  }
}
