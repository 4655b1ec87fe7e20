import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import SilentPeers
import Synchronization
import TTRPCServer
import Telemetry

/// The HTTP port of operators and orchestrators: `/livez`, `/readyz`, `/metrics`, `/settings`.
public final class AdminServer: Service {
  /// Enough for probes and a scraper or two; further connections are closed at once.
  static let connectionLimit = 64
  /// How long a connection may be idle.
  private static let idleLimit = TimeAmount.seconds(30)

  /// The address that the port is bound to.
  public let address: HostPort
  private let listener: any Channel

  private init(listener: any Channel, address: HostPort) {
    self.listener = listener
    self.address = address
  }

  /// Listens, and responds from then on, whether `run()` has been called or not.
  ///
  /// - Parameters:
  ///   - unhealthyReason: why `/livez` fails; `nil` while the process is live.
  ///   - settings: what `/settings` shows.
  /// - Throws: an error that names the process with the address and the setting to change.
  public static func start(
    on address: HostPort, group: any EventLoopGroup, readiness: Readiness, registry: PrometheusRegistry,
    unhealthyReason: @escaping @Sendable () -> String? = { nil }, settings: Settings? = nil, logger: Logger
  ) async throws(StartupError) -> AdminServer {
    let pages = AdminPages(
      readiness: readiness, registry: registry, unhealthyReason: unhealthyReason, settings: settings?.json())
    let open = ConnectionCount(limit: connectionLimit)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { port in
        port.eventLoop.makeCompletedFuture {
          try port.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
        }
      }
      .endingSilentConnections()
      .childChannelInitializer { channel in
        guard open.enter() else { return channel.eventLoop.makeFailedFuture(ChannelError.connectTimeout(.zero)) }
        channel.closeFuture.whenComplete { _ in open.leave() }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: idleLimit))
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(AdminHandler(pages: pages))
        }
      }
    do {
      let listener = try await bootstrap.bind(host: address.host, port: address.port).get()
      let port = listener.localAddress?.port ?? address.port
      return AdminServer(listener: listener, address: HostPort(host: address.host, port: port))
    } catch {
      throw .cannotListen(on: address, RuntimeSettings.adminListen, because: error)
    }
  }

  /// Keeps the port open until the service stops.
  public func run() async throws {
    try? await gracefulShutdown()
    await close()
  }

  /// Stops listening; open connections end with the event loops.
  public func close() async {
    // A listener that is closed already is as intended.
    try? await listener.close()
  }
}

/// How many connections are open; never more than the limit.
private final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func enter() -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    leave()
    return false
  }

  func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}
