import EchoV1
import Logging
import LoopExecutor
import NIOCore
import Synchronization
import TTRPC
import TTRPCClient
import TTRPCServer
import TestSupport
import Tracing

/// A running server with the methods that the tests need, and a client of it.
struct EchoFixture {
  let group: LoopGroup
  let server: RPCServer
  let port: Int
  let client: RPCClient
  let echo: EchoClient

  /// Starts the server on a free loopback port, hands the fixture to `body`, and stops everything.
  static func run<Result>(
    _ service: any RPCService, interceptors: [any ServerInterceptor] = [], tracer: (any Tracer)? = nil,
    limits: RPCServer.Limits = .init(), grace: Duration = .seconds(5), security: RPCServer.Security = .plaintext,
    logger: Logger = Logger(label: "test"), threads: Int = 2, quantum: TimeAmount = LoopGroup.quantum,
    _ body: (EchoFixture) async throws -> Result
  ) async throws -> Result {
    let group = LoopGroup(threads: threads, quantum: quantum)
    let server = RPCServer(
      address: try SocketAddress(ipAddress: "127.0.0.1", port: 0), security: security, router: Router([service]),
      interceptors: interceptors, tracer: tracer, limits: limits, grace: grace, group: group,
      logger: logger)
    guard let port = try await server.start().port else { throw ChannelError.unknownLocalAddress }
    var settings = RPCClient.Settings()
    // Calls are the tests' own, however long they take.
    settings.healthCheck = nil
    settings.connectTimeout = .seconds(3_600)
    let client = RPCClient(
      host: "127.0.0.1", port: port, security: .plaintext, settings: settings, on: group.executors[0])
    let fixture = EchoFixture(group: group, server: server, port: port, client: client, echo: EchoClient(client))
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    await client.close()
    await server.stop()
    try await group.shutdown()
    return try result.get()
  }

  /// A second connection to the same server.
  func anotherClient() -> RPCClient {
    RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: group.executors[1])
  }
}

/// `echo.v1.Echo` with every method replaceable; one that was not replaced echoes.
struct ScriptedEcho: EchoService {
  typealias Handler = @Sendable (Msg, CallContext) async throws -> Msg
  var handler: Handler = { request, _ in request }
  var collecting: @Sendable (MessageStream<Msg>, CallContext) async throws -> Msg = { requests, _ in
    var values: [String] = []
    for try await request in requests { values.append(request.value) }
    return Msg(value: values.joined(separator: ","))
  }
  var expanding: @Sendable (Msg, MessageWriter<Msg>, CallContext) async throws -> Void = { request, responses, _ in
    for index in 0..<3 { try await responses.send(Msg(value: "\(request.value)/\(index)")) }
  }
  var chatting: @Sendable (MessageStream<Msg>, MessageWriter<Msg>, CallContext) async throws -> Void = {
    requests, responses, _ in
    for try await request in requests { try await responses.send(request) }
  }

  init(_ handler: @escaping Handler = { request, _ in request }) {
    self.handler = handler
  }

  func unary(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func meta(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func sleep(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func fail(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func failPlain(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func big(_ request: Msg, _ context: CallContext) async throws -> Msg { try await handler(request, context) }
  func collect(_ requests: MessageStream<Msg>, _ context: CallContext) async throws -> Msg {
    try await collecting(requests, context)
  }
  func expand(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await expanding(request, responses, context)
  }
  func expandFail(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await responses.send(Msg(value: "one"))
    throw Status(.failedPrecondition, "fail: \(request.value)")
  }
  func chat(_ requests: MessageStream<Msg>, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await chatting(requests, responses, context)
  }
}

/// Waits until the surrounding task is cancelled.
func waitForCancellation() async {
  let gate = Gate()
  await withTaskCancellationHandler {
    await gate.pass()
  } onCancel: {
    gate.open()
  }
}
