import EchoV1
import GRPCHealth
import Logging
import LoopExecutor
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient
@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("Restarts under load", .timeLimit(.minutes(5)))
struct ClientRollingRestartTests {
  /// A server like those of the suite: it echoes and reports that it is serving.
  private struct Serving: HealthService {
    func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
      HealthCheckResponse(status: .serving)
    }
    func watch(
      _ request: HealthCheckRequest, _ responses: MessageWriter<HealthCheckResponse>, _ context: CallContext
    ) async throws {}
  }

  private struct Replica {
    let server: RPCServer
    let address: RPCClient.Address
    /// Whether it has been called.
    let isInUse: Flag
  }

  private func replica(_ address: RPCClient.Address, grace: Duration, _ group: LoopGroup) async throws -> Replica {
    let isInUse = Flag()
    let echo = ScriptedEcho { request, _ in
      isInUse.isSet = true
      // Gives up the loop, so that calls are under way whenever the server stops.
      await Task.yield()
      return request
    }
    var limits = RPCServer.Limits()
    // Even on a busy machine a client that receives a GoAway has time to disconnect by itself.
    limits.noticeTime = .seconds(60)
    let server = RPCServer(
      address: try SocketAddress(ipAddress: address.host, port: address.port), security: .plaintext,
      router: Router([echo, Serving()]), interceptors: [], limits: limits, grace: grace, group: group,
      logger: Logger(label: "test"))
    let port = try await server.start().port ?? 0
    return Replica(server: server, address: .init(host: address.host, port: port), isInUse: isInUse)
  }

  private func settings() -> RPCClient.Settings {
    var settings = RPCClient.Settings.repeating
    settings.healthCheck = .init(interval: .milliseconds(5), timeout: .seconds(10))
    return settings
  }

  /// Calls all the time from several tasks while `body` runs.
  ///
  /// - Returns: how many calls succeeded, and every failure.
  private func load(
    _ client: RPCClient, _ method: MethodDescriptor, while body: () async throws -> Void
  ) async throws -> (succeeded: Int, failures: [String]) {
    let isOver = Flag()
    return try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for caller in 0..<16 {
        group.addTask {
          var outcome: (Int, [String]) = (0, [])
          while !isOver.isSet {
            do {
              let answer = try await client.ask("\(caller)", method, CallOptions(timeout: .seconds(60)))
              if answer == "\(caller)" { outcome.0 += 1 } else { outcome.1.append("wrong answer") }
            } catch {
              outcome.1.append("\(error)")
            }
          }
          return outcome
        }
      }
      do {
        // The callers end, whatever comes of it: the group waits for them.
        defer { isOver.isSet = true }
        try await body()
      }
      return try await group.reduce(into: (0, [])) { all, one in
        all.0 += one.0
        all.1 += one.1
      }
    }
  }

  @Test("two replicas drain and start again in turn, and no call that may be repeated is lost")
  func draining() async throws {
    try await restarts(.repeatable, grace: .seconds(10))
  }

  @Test("two replicas drain and start again in turn, and no call is lost, though none may be repeated")
  func drainingUnrepeatable() async throws {
    try await restarts(EchoMethods.unary, grace: .seconds(60))
  }

  @Test("two replicas are cut off and start again in turn, and no call that may be repeated is lost")
  func killing() async throws {
    try await restarts(.repeatable, grace: .zero)
  }

  private func restarts(_ method: MethodDescriptor, grace: Duration) async throws {
    let servers = LoopGroup(threads: 1)
    try await ClientFixture.run { fixture in
      var replicas: [Replica] = []
      for _ in 0..<2 { replicas.append(try await replica(try fixture.vacancy(), grace: grace, servers)) }
      let client = fixture.client(replicas.map(\.address), settings())
      let outcome = try await load(client, method) {
        for round in 0..<6 {
          // Both are in use again before the next one goes.
          for replica in replicas { #expect(try await eventually { replica.isInUse.isSet }) }
          await replicas[round % 2].server.stop()
          replicas[round % 2] = try await replica(replicas[round % 2].address, grace: grace, servers)
        }
      }
      #expect(outcome.failures == [])
      #expect(outcome.succeeded > 100)
      await client.close()
      for replica in replicas { await replica.server.stop() }
    }
    try await servers.shutdown()
  }
}
