import Foundation
import GRPCHealth
import LoopExecutor
import NIOCore
import NIOPosix
import TTRPC
import TTRPCClient
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("Limits of a running service", .ownThreads, .timeLimit(.minutes(5)))
struct RunningLimitsTests {
  private static func status(_ body: () async throws -> Void) async throws -> Status {
    try await #require(throws: Status.self) { try await body() }
  }

  /// How often the service has refused for that reason, as its operators see it.
  private func refusals(_ reason: String, _ admin: HostPort) async throws -> Int {
    let series = "rpc_server_refusals_total{reason=\"\(reason)\"} "
    let line = try await request(admin, "GET /metrics").split(separator: "\n").first { $0.hasPrefix(series) }
    return line.flatMap { Int($0.dropFirst(series.count).trimmingCharacters(in: .whitespaces)) } ?? 0
  }

  @Test("what the settings allow is what the service takes, and whoever meets a limit is counted by its reason")
  func settings() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess(
      [
        "--plaintext", "--ready-file", file, "--max-calls-per-connection=1", "--max-metadata-pairs=2",
        "--max-message-bytes=2000", "--stream-time=3s", "--stall-time=1s", "--max-connections-per-address=2",
      ], environment: ["TANDEM_DATABASE_URL": try await freshDatabase("limits")])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let ready = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
    let admin = try #require(HostPort(ready["admin"] as? String ?? ""))
    let rpc = try #require(HostPort(ready["rpc"] as? String ?? ""))
    let loops = LoopGroup(threads: 1)
    try await meetLimits(of: rpc, loops)
    for reason in [
      "TOO_MANY_CALLS", "METADATA_TOO_LARGE", "MESSAGE_TOO_LARGE", "CALL_TOO_LONG", "FRAME_TOO_SLOW",
      "TOO_MANY_CONNECTIONS_OF_ADDRESS",
    ] {
      #expect(try await refusals(reason, admin) >= 1, "\(reason)")
    }
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
    try await loops.shutdown()
  }

  private func meetLimits(of rpc: HostPort, _ loops: LoopGroup) async throws {
    var settings = RPCClient.Settings()
    settings.healthCheck = nil
    let client = RPCClient(
      addresses: [.init(host: "127.0.0.1", port: rpc.port)], security: .plaintext, settings: settings,
      on: loops.executors[0])
    let health = HealthClient(client)
    var pairs = CallOptions()
    for name in ["a", "b", "c"] { pairs.metadata.append(name, "") }
    let many = try await Self.status { _ = try await health.check(HealthCheckRequest(), pairs) }
    #expect(many.errorInfo?.reason == "METADATA_TOO_LARGE")
    let long = HealthCheckRequest(service: String(repeating: "x", count: 2_000))
    #expect(try await Self.status { _ = try await health.check(long) }.errorInfo?.reason == "MESSAGE_TOO_LARGE")
    try await health.watch(HealthCheckRequest()) { responses in
      for try await _ in responses { break }
      let second = try await Self.status { _ = try await health.check(HealthCheckRequest()) }
      #expect(second.errorInfo?.reason == "TOO_MANY_CALLS")
    }
    let ended = try await Self.status {
      try await eventually("the call before has made room") {
        // A later deadline than the service's does not count.
        let options = CallOptions(timeout: .seconds(3_600))
        do { return try await health.watch(HealthCheckRequest(), options) { for try await _ in $0 {} } } catch let
          status
          as Status
          where status.errorInfo?.reason == "TOO_MANY_CALLS"
        { return nil as Void? }
      }
    }
    #expect(ended.code == .deadlineExceeded)
    try await crowd(rpc, loops)
    await client.close()
  }

  /// Opens two connections beside the client's, of which one is too many; the other says half of a frame.
  private func crowd(_ rpc: HostPort, _ loops: LoopGroup) async throws {
    let bootstrap = ClientBootstrap(group: loops.executors[0].loop)
    let first = try await bootstrap.connect(host: "127.0.0.1", port: rpc.port).get()
    let second = try await bootstrap.connect(host: "127.0.0.1", port: rpc.port).get()
    try await until("one of them is closed") { !first.isActive || !second.isActive }
    let left = first.isActive ? first : second
    try await left.writeAndFlush(ByteBuffer(bytes: [0, 0, 0])).get()
    try await left.closeFuture.get()
  }
}
