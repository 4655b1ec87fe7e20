import LoopExecutor
import ServiceLifecycle
import Synchronization
import TTRPCClient
import Tracing

/// The clients of the suite's other services, one for each, made at first use and closed when this service stops.
final class Peers: Service {
  private let settings: Settings
  private let security: TransportSecurity
  private let loops: LoopGroup
  private let tracer: (any Tracer)?
  private let metrics = ClientMetrics()
  private let clients = Mutex<[String: RPCClient]>([:])

  init(_ settings: Settings, security: TransportSecurity, loops: LoopGroup, tracer: (any Tracer)?) {
    self.settings = settings
    self.security = security
    self.loops = loops
    self.tracer = tracer
  }

  /// The client of `service`; `nil` when the settings do not have its address.
  func client(of service: String) -> RPCClient? {
    guard let setting = PeerSettings.addresses[service] else {
      preconditionFailure("the suite has no service \(service)")
    }
    guard let address = settings[setting] else { return nil }
    return clients.withLock { clients in
      if let client = clients[service] { return client }
      var settings = RPCClient.Settings()
      settings.tracer = tracer
      settings.metrics = metrics
      let client = RPCClient(
        host: address.host, port: address.port, security: security.client(toward: service), settings: settings,
        on: loops.executors[clients.count % loops.executors.count])
      clients[service] = client
      return client
    }
  }

  func run() async throws {
    try? await gracefulShutdown()
    for client in clients.withLock({ Array($0.values) }) { await client.close() }
  }
}
