import Logging
import LoopExecutor
import NIOCore
import NIOPosix
import NIOSSL
import ProtobufC
import ServiceLifecycle
import Synchronization
import Tracing

/// Answers ttrpc calls on a TCP port, over TLS or, where it is asked for, in plaintext.
public final class RPCServer: Service {
  /// What one client may take.
  public struct Limits: Sendable {
    /// Calls that run at the same time on one connection; one more is refused.
    public var callsPerConnection = 4_096
    /// How long a unary call may take when its client sets no deadline.
    public var callDuration = TimeAmount.seconds(60)
    /// How long a stream may last when its client sets no deadline; ttrpc's Go client never does.
    public var streamDuration = TimeAmount.hours(1)
    /// Bytes of one stream's messages that may wait for its handler; beyond them the stream is refused.
    public var unreadBytesPerStream = 4 << 20
    /// The same for all streams of a connection.
    public var unreadBytesPerConnection = 16 << 20

    /// The limits that suit a service behind a gateway.
    public init() {}

    func duration(of kind: MethodKind) -> TimeAmount {
      kind == .unary ? callDuration : streamDuration
    }
  }

  /// How the port is protected.
  public enum Security: Sendable {
    case tls(TLSSource)
    /// For loopback and for networks that encrypt by themselves.
    case plaintext

    /// TLS that stays as it is, and knows no service by its certificate.
    public static func tls(_ context: NIOSSLContext) -> Security {
      .tls(TLSSource(context: { context }))
    }
  }

  private let address: SocketAddress
  private let security: Security
  private let router: Router
  private let interceptors: [any ServerInterceptor]
  private let tracer: (any Tracer)?
  private let limits: Limits
  private let grace: Duration
  private let group: LoopGroup
  private let logger: Logger
  private let arenas: [LoopArena]
  private let state = Mutex(State())

  /// The arena that the connections of one loop share.
  private struct LoopArena: @unchecked Sendable {
    // Unchecked: only connections of its loop are given it, and they use it on that loop.
    let arena: Arena
  }

  private struct State {
    var listener: (any Channel)?
    var connections: [ObjectIdentifier: ServerConnection] = [:]
    var isStopping = false
    var drained: CheckedContinuation<Void, Never>?
  }

  /// - Parameters:
  ///   - address: where to listen; port 0 takes a free one.
  ///   - interceptors: run for every call, in this order.
  ///   - tracer: records every call as a span; `nil` records none, and handlers pass traces on as they came.
  ///   - grace: how long running calls may go on once the server is told to stop.
  public init(
    address: SocketAddress, security: Security, router: Router, interceptors: [any ServerInterceptor],
    tracer: (any Tracer)? = nil, limits: Limits = Limits(), grace: Duration = .seconds(10), group: LoopGroup,
    logger: Logger
  ) {
    self.address = address
    self.security = security
    self.router = router
    self.interceptors = interceptors
    self.tracer = tracer
    self.limits = limits
    self.grace = grace
    self.group = group
    self.logger = logger
    arenas = group.executors.map { _ in LoopArena(arena: Arena()) }
  }

  /// Opens the port.
  ///
  /// - Returns: the address that it really has.
  /// - Throws: what the system says when the address is taken or not this machine's.
  @discardableResult
  public func start() async throws -> SocketAddress {
    let listener = try await ServerBootstrap(group: group.eventLoops)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 16_384, maximum: 65_536)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .bind(to: address).get()
    state.withLock { $0.listener = listener }
    guard let bound = listener.localAddress else { throw ChannelError.unknownLocalAddress }
    return bound
  }

  /// Serves until the service group is told to stop, then drains.
  public func run() async throws {
    if state.withLock({ $0.listener == nil }) { try await start() }
    try? await gracefulShutdown()
    await stop()
  }

  /// Stops accepting, refuses new calls, lets running ones end within the grace period, and closes every connection.
  public func stop() async {
    let (listener, connections) = state.withLock { state in
      state.isStopping = true
      return (state.listener, Array(state.connections.values))
    }
    do { try await listener?.close() } catch ChannelError.alreadyClosed {} catch {
      logger.warning("closing the port failed", metadata: ["cause": "\(error)"])
    }
    for connection in connections { connection.drain() }
    let deadline = group.executors[0].loop.scheduleTask(in: .nanoseconds(grace.nanoseconds)) { self.abort() }
    await withCheckedContinuation { continuation in
      let isDrained = state.withLock { state in
        guard !state.connections.isEmpty else { return true }
        state.drained = continuation
        return false
      }
      if isDrained { continuation.resume() }
    }
    deadline.cancel()
  }

  private func abort() {
    let connections = state.withLock { Array($0.connections.values) }
    logger.warning("calls still ran at the end of the grace period", metadata: ["connections": "\(connections.count)"])
    for connection in connections { connection.abort() }
  }

  private func accept(_ channel: any Channel) throws {
    let executor = group.executor(of: channel.eventLoop)
    let connection = ServerConnection(
      executor: executor, arena: arenas[executor.index].arena, router: router, interceptors: interceptors,
      tracer: tracer, limits: limits, logger: logger)
    if case .tls(let source) = security {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: source.context()))
      connection.knowsServices(by: source.service)
    }
    try channel.pipeline.syncOperations.addHandler(connection)
    let isStopping = state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = connection
      return state.isStopping
    }
    // A connection that is accepted while the port closes ends without ever having been active.
    channel.closeFuture.whenComplete { [weak self] _ in self?.forget(connection) }
    if isStopping { connection.drain() }
  }

  private func forget(_ connection: ServerConnection) {
    let drained = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.connections[ObjectIdentifier(connection)] = nil
      guard state.connections.isEmpty, state.isStopping else { return nil }
      defer { state.drained = nil }
      return state.drained
    }
    drained?.resume()
  }
}

extension Duration {
  /// The same in nanoseconds, clamped to what 64 bits hold.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
  }
}
