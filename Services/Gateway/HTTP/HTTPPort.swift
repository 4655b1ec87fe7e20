import ClientAddresses
import HTTPTypes
import LoopExecutor
import NIOCore
import NIOExtras
import NIOPosix
import NIOSSL
import SilentPeers
import Synchronization

/// An open port of HTTP/1.1 and HTTP/2, with TLS or without.
public final class HTTPPort: Sendable {
  /// Makes the responder of a request; on the connection's event loop.
  public typealias Respond = @Sendable (Exchange) -> any Responder

  /// Whether a request that asks for a WebSocket gets one; else it is answered as any other.
  public typealias TakesSocket = @Sendable (HTTPRequest) -> Bool

  /// How connections are protected.
  public enum Security: Sendable {
    /// TLS with the context that the source has when a connection comes.
    case tls(@Sendable () -> NIOSSLContext)
    case plaintext
  }

  let limits: HTTPLimits
  let respond: Respond
  let takesSocket: TakesSocket
  let isSecure: Bool
  private let security: Security
  private let connections: Connections
  private let group: LoopGroup
  private let quiescing: ServerQuiescingHelper
  private let draining = Atomic(false)

  public init(
    security: Security, limits: HTTPLimits, group: LoopGroup, takesSocket: @escaping TakesSocket,
    respond: @escaping Respond
  ) {
    self.takesSocket = takesSocket
    (self.security, self.limits, self.group, self.respond) = (security, limits, group, respond)
    if case .tls = security { isSecure = true } else { isSecure = false }
    connections = Connections(limits: limits)
    quiescing = ServerQuiescingHelper(group: group.eventLoops)
  }

  /// Whether the port is being closed: answers say so, and no new connection comes.
  public var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// Listens; returns the address that is bound.
  public func listen(host: String, port: Int) async throws -> SocketAddress? {
    let channel = try await ServerBootstrap(group: group.eventLoops)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { listener in
        listener.eventLoop.makeCompletedFuture {
          try listener.pipeline.syncOperations.addHandler(
            self.quiescing.makeServerChannelHandler(channel: listener))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .endingSilentConnections()
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.configure(channel) }
      }
      .bind(host: host, port: port).get()
    return channel.localAddress
  }

  /// A connection that is one too many.
  private struct TooMany: Error {}

  private func configure(_ channel: any Channel) throws {
    let address = channel.remoteAddress?.ipAddress ?? ""
    guard connections.enter(channel, from: ClientNetwork(address: address)) else { throw TooMany() }
    if case .tls(let context) = security {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context()))
    }
    try channel.pipeline.syncOperations.addHandler(
      PrefaceHandler(self, address: address, executor: group.executor(of: channel.eventLoop)))
  }

  /// Takes no new connection, has the others end with the requests that they have, and closes after `grace` what is
  /// open still.
  public func drain(grace: TimeAmount) async {
    draining.store(true, ordering: .relaxed)
    let done = group.eventLoops.next().makePromise(of: Void.self)
    quiescing.initiateShutdown(promise: done)
    let timer = group.eventLoops.next().scheduleTask(in: grace) { self.connections.closeAll() }
    // It succeeds when every connection has closed; that one failed to is no reason to wait.
    try? await done.futureResult.get()
    timer.cancel()
  }
}
