import GRPCHealth
import Glibc
import Logging
import LoopExecutor
import NIOCore
import ServiceLifecycle
import TTRPC
import TTRPCClient
import TTRPCServer
import Telemetry
import TestSupport
import Testing
import Tracing

@testable import ServiceRuntime

@Suite("Spans over OTLP", .ownThreads, .timeLimit(.minutes(5)))
struct SpanExportTests {
  static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let parent = "00f067aa0ba902b7"

  @Test("a real service sends the span of a call below its caller's, with what happened")
  func service() async throws {
    try await Collector.with { collector in
      let service = try ServiceProcess(
        [
          "--plaintext", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--log-format=json",
          "--database-url=postgresql://nobody@127.0.0.1:1/nothing",
        ], environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint])
      let line = try #require(try await service.line(containing: "\"listening\""))
      let port = try #require(self.port(in: line))
      let loops = LoopGroup(threads: 1)
      let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: loops.executors[0])
      let metadata: Metadata = ["traceparent": "00-\(Self.trace)-\(Self.parent)-01", "tracestate": "vendor=x"]
      _ = try? await HealthClient(client).check(
        HealthCheckRequest(service: "no.such.Service"), CallOptions(timeout: .seconds(30), metadata: metadata))
      await client.close()

      let span = try await collector.span("of the call") { $0.trace == Self.trace }
      #expect(span.name == "grpc.health.v1.Health/Check" && span.parent == Self.parent && span.kind == 2)
      #expect(span.id != Self.parent && span.state == "vendor=x" && span.nanoseconds > 0)
      #expect(span.attributes["rpc.system"] == "ttrpc" && span.attributes["rpc.method"] == "Check")
      #expect(span.attributes["rpc.service"] == "grpc.health.v1.Health")
      #expect(span.attributes["rpc.response.status_code"] == "NOT_FOUND" && span.status == 0)
      #expect(span.attributes["network.peer.address"] == "127.0.0.1")
      service.signal(SIGTERM)
      #expect(try await service.ending().status == 0)
      try await loops.shutdown()
    }
  }

  private func port(in line: String) -> Int? {
    guard let start = line.firstRange(of: "\"rpc\":\"127.0.0.1:")?.upperBound else { return nil }
    return Int(line[start...].prefix { $0.isNumber })
  }

  @Test("a handler's own call is a span below the handler's, and the called service's below that")
  func chain() async throws {
    try await Collector.with { collector in
      try await withExporter(to: collector.endpoint) { recorder, loops in
        try await withServer(recorder, loops, { _ in }) { far in
          let outward = RPCClient(host: "127.0.0.1", port: far, security: .plaintext, on: loops.executors[0])
          let calling: @Sendable (CallContext) async throws -> Void = { _ in
            let _: HealthCheckRequest = try await outward.call(Self.method, HealthCheckRequest(), .default)
          }
          try await withServer(recorder, loops, calling) { near in
            let client = RPCClient(host: "127.0.0.1", port: near, security: .plaintext, on: loops.executors[0])
            let _: HealthCheckRequest = try await client.call(
              Self.method, HealthCheckRequest(),
              CallOptions(metadata: ["traceparent": "00-\(Self.trace)-\(Self.parent)-01"]))
            await client.close()
          }
          await outward.close()
        }
      }
      let first = try await collector.span("the first server's") { $0.parent == Self.parent }
      let call = try await collector.span("the client's") { $0.parent == first.id }
      let second = try await collector.span("the second server's") { $0.parent == call.id }
      #expect(first.kind == 2 && call.kind == 3 && second.kind == 2)
      #expect(call.attributes["server.address"] == "127.0.0.1" && call.attributes["rpc.response.status_code"] == "OK")
      #expect(try collector.spans().allSatisfy { $0.trace == Self.trace })
    }
  }

  static let method = MethodDescriptor(
    service: "test.v1.Chain", name: "Go", kind: .unary, access: .public, idempotent: true)

  /// Runs `body` while what the recorder records is exported; all of it is when this returns.
  private func withExporter(
    to endpoint: String, _ body: (SpanRecorder, LoopGroup) async throws -> Void
  ) async throws {
    let queue = SpanQueue()
    let loops = LoopGroup(threads: 2)
    let exporter = try SpanExporter(
      queue, to: .init(address: try #require(CollectorAddress(endpoint)), resource: [("service.name", "test")]),
      group: loops.eventLoops, logger: Logger(label: "test"))
    let group = ServiceGroup(services: [exporter], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    async let running: Void = group.run()
    try await body(SpanRecorder(queue, ratio: 0), loops)
    await group.triggerGracefulShutdown()
    try await running
    try await loops.shutdown()
  }

  private func withServer(
    _ recorder: SpanRecorder, _ loops: LoopGroup, _ handler: @escaping @Sendable (CallContext) async throws -> Void,
    _ body: (Int) async throws -> Void
  ) async throws {
    var router = Router()
    router.unary(Self.method) {
      (request: HealthCheckRequest, context: CallContext) async throws -> HealthCheckRequest in
      try await handler(context)
      return request
    }
    let server = RPCServer(
      address: try SocketAddress(ipAddress: "127.0.0.1", port: 0), security: .plaintext, router: router,
      interceptors: [], tracer: recorder, group: loops, logger: Logger(label: "test"))
    let port = try #require(try await server.start().port)
    try await body(port)
    await server.stop()
  }
}
