import Logging
import LoopExecutor
import NIOCore
import NIOPosix
import NIOSSL
import ProtobufC
import ServiceLifecycle
import SilentPeers
import Synchronization
import TTRPC
import TTRPCConnection
import Tracing

/// Serves ttrpc calls on a TCP port, over TLS or, where configured, in plaintext.
public final class RPCServer: Service {
  /// How the port is protected.
  public enum Security: Sendable {
    case tls(TLSSource)
    /// For loopback and for networks that encrypt themselves.
    case plaintext

    /// TLS with a fixed context, which identifies no service by its certificate.
    public static func tls(_ context: NIOSSLContext) -> Security {
      .tls(TLSSource(context: { context }))
    }

    /// Whether a client proves itself before its first frame.
    var hasHandshake: Bool {
      if case .tls = self { true } else { false }
    }
  }

  /// The default of how long running calls may continue once a server is stopped.
  public static let defaultGrace = Duration.seconds(10)

  private let address: SocketAddress
  private let security: Security
  private let router: Router
  private let interceptors: [any ServerInterceptor]
  private let tracer: (any Tracer)?
  let load: ServerLoad
  private let grace: Duration
  private let group: LoopGroup
  private let logger: Logger
  let loops: [LoopConnections]
  private let freedMemory = FreedMemory()
  private let state = Mutex(State())

  private struct State {
    var listener: (any Channel)?
    var memoryLooks: RepeatedTask?
    var connections = ConnectionCount()
    var isStopping = false
    /// Tasks that wait for the last connection to end.
    var stopping: [CheckedContinuation<Void, Never>] = []
  }

  /// - Parameters:
  ///   - address: where to listen; port 0 takes a free one.
  ///   - interceptors: run for every call, in this order.
  ///   - tracer: records every call as a span; `nil` records none, and handlers forward traces as received.
  ///   - forwardedAddress: the address of the client on whose behalf a service, known by its certificate, makes a call:
  ///     what the call takes before it authenticates a user counts against that client. `nil` for a call of the
  ///     service's own.
  ///   - services: the names in certificates that have a service's share; clients with other names have their
  ///     address's. `nil` for every name.
  ///   - grace: how long running calls may continue once the server is stopped.
  public init(
    address: SocketAddress, security: Security, router: Router, interceptors: [any ServerInterceptor],
    tracer: (any Tracer)? = nil, limits: Limits = Limits(),
    forwardedAddress: (@Sendable (CallContext) -> String?)? = nil, services: Set<String>? = nil,
    grace: Duration = defaultGrace, group: LoopGroup, logger: Logger
  ) {
    self.address = address
    self.security = security
    self.router = router
    self.interceptors = interceptors
    self.tracer = tracer
    load = ServerLoad(limits, forwardedAddress: forwardedAddress, services: services, logger: logger)
    self.grace = grace
    self.group = group
    self.logger = logger
    let load = load
    loops = group.executors.map { LoopConnections($0, load) }
    load.room.whenScarce { [weak self] in self?.makeRoom() }
  }

  /// Opens the port.
  ///
  /// - Returns: the address that it is bound to.
  /// - Throws: the system's error when the address is in use or not this machine's.
  @discardableResult
  public func start() async throws -> SocketAddress {
    let listener = try await ServerBootstrap(group: group.eventLoops)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { [logger] port in
        port.eventLoop.makeCompletedFuture {
          try port.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .endingSilentConnections()
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 16_384, maximum: 65_536)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .bind(to: address).get()
    FreedMemory.limitAllocator()
    let memoryLooks = freedMemory.lookRepeatedly(on: group.executors[0].loop)
    let isStopping = state.withLock { state in
      if !state.isStopping { (state.listener, state.memoryLooks) = (listener, memoryLooks) }
      return state.isStopping
    }
    if isStopping {
      memoryLooks.cancel()
      await close(ListeningPort(listener, group, logger: logger))
    }
    guard let bound = listener.localAddress else { throw ChannelError.unknownLocalAddress }
    return bound
  }

  /// Serves until the service group shuts down, then drains.
  public func run() async throws {
    if state.withLock({ $0.listener == nil }) { try await start() }
    try? await gracefulShutdown()
    await stop()
  }

  /// Stops accepting, refuses new calls, notifies every client, and closes each connection whose calls have ended.
  ///
  /// Unary and client-streaming calls may continue for the grace period, and so may a server-streaming call as long as
  /// it makes progress. Streams that may have no end, because they are idle or bidirectional, are soon refused so that
  /// their clients connect elsewhere. Returns once the last connection has ended; several tasks may call it.
  public func stop() async {
    let listener = state.withLock { state in
      state.isStopping = true
      return state.listener
    }
    if let listener { await close(ListeningPort(listener, group, logger: logger)) }
    let notice = noticeTime
    for loop in loops { loop.forEach { $0.drain(noticeFor: notice) } }
    let rest = TimeAmount.nanoseconds(max(min(grace / 10, load.limits.streamRest), .milliseconds(1)).nanoseconds)
    let looks = group.executors[0].loop.scheduleRepeatedTask(initialDelay: rest, delay: rest) { _ in self.endStreams() }
    let end = after(grace, abort)
    await withCheckedContinuation { continuation in
      let isDrained = state.withLock { state in
        guard state.connections.total > 0 else { return true }
        state.stopping.append(continuation)
        return false
      }
      if isDrained { continuation.resume() }
    }
    looks.cancel()
    end.cancel()
    state.withLock { $0.memoryLooks.take() }?.cancel()
    load.refusedCalls.tellRest()
    for interceptor in interceptors { interceptor.serverStopped() }
  }

  private func close(_ port: ListeningPort) async {
    do { try await port.close() } catch ChannelError.alreadyClosed {
      // It is closed already, as intended.
    } catch {
      logger.warning("closing the port failed", metadata: ["cause": "\(error)"])
    }
  }

  private var noticeTime: TimeAmount { .nanoseconds(min(grace, load.limits.noticeTime).nanoseconds) }

  private func after(_ delay: Duration, _ act: @escaping @Sendable () -> Void) -> Scheduled<Void> {
    group.executors[0].loop.scheduleTask(in: .nanoseconds(delay.nanoseconds), act)
  }

  private func endStreams() {
    for loop in loops { loop.forEach { $0.endStreams() } }
  }

  private func abort() {
    let calls = load.callsAtWork
    if calls > 0 { logger.warning("calls still ran at the end of the grace period", metadata: ["calls": "\(calls)"]) }
    for loop in loops { loop.forEach { $0.abort() } }
  }

  /// A connection that is closed as soon as it is accepted.
  private struct OneTooMany: Error {}

  private func accept(_ channel: any Channel) throws {
    let network = ClientNetwork(channel.remoteAddress)
    let (limit, isStopping) = state.withLock { ($0.connections.admit(network, load.limits), $0.isStopping) }
    if let limit {
      load.refused(limit)
      throw OneTooMany()
    }
    load.connectionBegan()
    let executor = group.executor(of: channel.eventLoop)
    let loop = loops[executor.index]
    let connection = ServerConnection(
      executor: executor, arena: loop.arena, router: router, interceptors: interceptors,
      tracer: tracer, load: load, network: network, hasHandshake: security.hasHandshake, logger: logger)
    loop.add(connection)
    // A connection that is accepted while the port closes ends without having been active.
    channel.closeFuture.whenComplete { _ in
      loop.remove(connection)
      self.connectionEnded(network)
    }
    if case .tls(let source) = security {
      let gate = HandshakeGate(connection.lane, executor)
      connection.handshakeGate = gate
      connection.provedService = { self.state.withLock { $0.connections.hasService(network) } }
      try channel.pipeline.syncOperations.addHandler(gate)
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: source.context()))
      connection.knowsServices(by: source.service)
    }
    try channel.pipeline.syncOperations.addHandler(connection)
    if isStopping { connection.drain(noticeFor: noticeTime) }
  }

  private func connectionEnded(_ network: ClientNetwork) {
    load.connectionEnded()
    let stopping = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.connections.remove(network)
      guard state.connections.total == 0 else { return [] }
      defer { state.stopping = [] }
      return state.stopping
    }
    for one in stopping { one.resume() }
  }
}
