import GatewayHTTP
import NIOCore
import ServiceLifecycle
import ServiceRuntime
import Synchronization
import TTRPCClient

/// Keeps the port open until the program stops, then drains it.
struct PortService: Service {
  let port: HTTPPort
  let grace: TimeAmount
  let drain: Drain

  func run() async throws {
    try? await gracefulShutdown()
    drain.begin()
    await port.drain(grace: grace)
  }
}

/// Whether the program is about to end.
final class Drain: Sendable {
  private let state = Atomic(false)

  var hasBegun: Bool { state.load(ordering: .relaxed) }

  func begin() { state.store(true, ordering: .relaxed) }
}

/// The clients of the suite's services, closed when the program stops.
struct SuiteClients: Service {
  /// By the services' names, one for each event loop.
  let byService: [String: [RPCClient]]

  /// - Parameter byService: clients that were made elsewhere.
  init(byService: [String: [RPCClient]]) { self.byService = byService }

  init(_ runtime: FrontRuntime) {
    var byService: [String: [RPCClient]] = [:]
    for service in Set(ContractSets.owners.values).sorted() {
      if let clients = runtime.clients(of: service) {
        byService[service] = clients
      } else {
        runtime.logger.warning(
          "a service's methods are not offered", metadata: ["missing_setting": "\(service)-address"])
      }
    }
    self.byService = byService
  }

  func run() async throws {
    try? await gracefulShutdown()
    for client in byService.values.joined() { await client.close() }
  }
}
