import LoopExecutor
import NIOCore
import NIOPosix
import NIOSSL
import ProtobufC
import Synchronization
import Tracing

/// Makes calls to one server, by one connection that is opened when it is needed and again after it was lost.
///
/// A call that was under way when the connection broke fails with UNAVAILABLE and is not repeated: only its caller knows whether it may be.
public final class RPCClient: RPCChannel {
  /// How the connection is protected.
  public enum Security: Sendable {
    /// TLS, with the name that the server's certificate must carry; `nil` when it is to carry the address itself.
    case tls(NIOSSLContext, serverName: String?)
    /// The same with a context that each new connection asks for.
    case renewedTLS(TLSSource, serverName: String?)
    case plaintext
  }

  private let host: String
  private let port: Int
  private let security: Security
  private let connectTimeout: TimeAmount
  private let executor: LoopExecutor
  private let unreadLimit: Int
  private let tracing: ClientTracing
  private let state = Mutex(State.idle)

  /// Becomes `connecting` with the first call, `connected`, and `idle` again when the connection is lost; `closed` for good.
  private enum State {
    case idle
    case connecting(EventLoopFuture<ClientConnection>)
    case connected(ClientConnection)
    case closed
  }

  /// - Parameters:
  ///   - host: a name or an address.
  ///   - unreadBytesPerStream: bytes of one stream's messages that may wait for their reader; beyond them the stream fails.
  ///   - tracer: records the calls that no handler makes; those of a handler continue its trace in any case.
  ///   - executor: where the connection lives; calls from tasks that run there cost no hop.
  public init(
    host: String, port: Int, security: Security, connectTimeout: Duration = .seconds(5),
    unreadBytesPerStream: Int = 4 << 20, tracer: (any Tracer)? = nil, on executor: LoopExecutor
  ) {
    unreadLimit = unreadBytesPerStream
    tracing = ClientTracing(tracer: tracer, host: host, port: port)
    self.host = host
    self.port = port
    self.security = security
    self.connectTimeout = .nanoseconds(connectTimeout.nanoseconds)
    self.executor = executor
  }

  /// Calls over the connection, opening it first where there is none.
  public func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    try await tracing.traced(method, options) { try await call(method, request, .generated, .generated, $0) }
  }

  /// Calls a unary method whose messages this program has no types for: both are serialized messages.
  public func callSerialized(
    _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions = .default
  ) async throws -> [UInt8] {
    try await tracing.traced(method, options) { try await call(method, request, .serialized, .serialized, $0) }
  }

  private func call<Request: Sendable, Response: Sendable>(
    _ method: MethodDescriptor, _ request: Request, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions
  ) async throws -> Response {
    let connection = try await connection()
    let call = UnaryClientCall(method, request, requests, responses, options)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.wait(continuation)
        connection.start(call)
      }
    } onCancel: {
      connection.abandon(call)
    }
  }

  /// Opens a stream on the connection, opening that first where there is none.
  public func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    try await tracing.traced(method, options) { try await stream(method, request, .generated, .generated, $0, body) }
  }

  /// Opens a stream whose messages this program has no types for: all are serialized messages.
  public func streamSerialized<Result>(
    _ method: MethodDescriptor, _ request: [UInt8]?, _ options: CallOptions = .default,
    _ body: (RequestWriter<[UInt8]>, MessageStream<[UInt8]>) async throws -> Result
  ) async throws -> Result {
    try await tracing.traced(method, options) { try await stream(method, request, .serialized, .serialized, $0, body) }
  }

  private func stream<Request: Sendable, Response: Sendable, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    let connection = try await connection()
    let call = StreamClientCall(method, request, requests, responses, options, on: connection)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { opened in
        call.wait(opened)
        connection.start(call)
      }
      defer { connection.leave(call) }
      let (writer, stream) = call.sides
      return try await body(writer, stream)
    } onCancel: {
      connection.abandon(call)
    }
  }

  /// Closes the connection; later calls fail.
  public func close() async {
    let old = state.withLock { state in
      defer { state = .closed }
      return state
    }
    switch old {
    case .connected(let connection): await connection.close()
    case .connecting(let future):
      do { try await future.get().close() } catch {
        // A connection that never came up needs no closing.
      }
    case .idle, .closed: break
    }
  }

  func connection() async throws -> ClientConnection {
    let connecting = try state.withLock { state -> Result<ClientConnection, Connecting> in
      switch state {
      case .connected(let connection) where !connection.hasEnded: return .success(connection)
      case .connecting(let future): return .failure(Connecting(future: future))
      case .closed: throw Status(.cancelled, "The client was closed")
      case .idle, .connected:
        let future = connect()
        state = .connecting(future)
        return .failure(Connecting(future: future))
      }
    }
    switch connecting {
    case .success(let connection): return connection
    case .failure(let connecting): return try await settle(connecting.future)
    }
  }

  /// A connection that is on its way.
  private struct Connecting: Error {
    let future: EventLoopFuture<ClientConnection>
  }

  private func settle(_ future: EventLoopFuture<ClientConnection>) async throws -> ClientConnection {
    do {
      let connection = try await future.get()
      state.withLock { if case .connecting(let current) = $0, current === future { $0 = .connected(connection) } }
      return connection
    } catch {
      // Another attempt may have begun since, and its connection must not be forgotten.
      state.withLock { if case .connecting(let current) = $0, current === future { $0 = .idle } }
      throw Status.unavailable("There is no connection to \(host):\(port): \(error)")
    }
  }

  private func connect() -> EventLoopFuture<ClientConnection> {
    let executor = executor
    let security = security
    let host = host
    let unreadLimit = unreadLimit
    return ClientBootstrap(group: executor.loop)
      .connectTimeout(connectTimeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 16_384, maximum: 65_536)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let handler = try security.handler() { try channel.pipeline.syncOperations.addHandler(handler) }
          try channel.pipeline.syncOperations.addHandler(ClientConnection(executor: executor, unreadLimit: unreadLimit))
        }
      }
      .connect(host: host, port: port)
      .flatMapThrowing { channel in
        try channel.pipeline.syncOperations.handler(type: ClientConnection.self)
      }
  }
}

extension RPCClient.Security {
  /// What encrypts one new connection; `nil` for none.
  fileprivate func handler() throws -> NIOSSLClientHandler? {
    switch self {
    case .plaintext: nil
    case .tls(let context, let serverName): try NIOSSLClientHandler(context: context, serverHostname: serverName)
    case .renewedTLS(let source, let serverName):
      try NIOSSLClientHandler(context: source.context(), serverHostname: serverName)
    }
  }
}
