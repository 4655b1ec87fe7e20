import GatewayCalls
import GatewayHTTP
import GatewayOperators
import GatewayPages
import GatewayProtocols
import GatewayTranscoder
import Logging
import NIOCore
import ServiceLifecycle
import ServiceRuntime
import TTRPCClient

/// The operators' listener, where the settings have one.
struct OperatorListener {
  /// In the order of dependence.
  let parts: [any Service]
  private let port: HTTPPort
  private let address: HostPort
  private let logger: Logger

  /// `nil` without the setting.
  ///
  /// - Throws: an error that names the setting to change.
  init?(_ runtime: FrontRuntime, security: HTTPPort.Security, drain: Drain) throws {
    let settings = runtime.settings
    guard let address = settings[OperatorSettings.listen] else { return nil }
    guard address.isLoopback else {
      throw StartupError(
        usage:
          "operator-listen is \(address), but the operators' console is for this machine alone: give 127.0.0.1:PORT")
    }
    guard let linkKey = settings[OperatorSettings.linkKey], let certificate = settings[OperatorSettings.certificate],
      let key = settings[OperatorSettings.key]
    else {
      throw StartupError(
        usage:
          "operator-listen is set, but not all of operator-link-key, operator-tls-cert and operator-tls-key: without them there is no way in"
      )
    }
    let clock = runtime.environment.clock
    guard
      let sessions = DeskSessions(key: linkKey.seal, clock: clock, randomness: runtime.environment.randomness)
    else { throw StartupError(failure: "no key for the cookies of operators could be made") }
    let credentials = try runtime.credentials(certificate: certificate, key: key)
    let clients = Self.clients(runtime, credentials)
    let names = { @Sendable in PublicNames(hosts: [], origins: [], isSecure: security.isSecure) }
    let (gateway, detailText) = try Self.gateway(runtime, clients, drain, names)
    let console = Console(tiles: nil, folder: settings[ConsoleSettings.folder], for: .operators)
    let data = DeskData(
      replicas: settings[OperatorSettings.processes], group: runtime.loops.eventLoops,
      command: settings[OperatorSettings.command].map {
        OperatorCommand(program: $0, home: settings[OperatorSettings.home])
      }, isDemo: settings[OperatorSettings.isDemo], now: { clock.now.wholeSeconds })
    let desk = Desk(
      gateway, sessions: sessions, names: names, data: data, file: { console.page(at: $0) }, detailText: detailText)
    let port = HTTPPort(
      security: security, limits: HTTPLimits(settings), group: runtime.loops, takesSocket: { _ in false },
      respond: { desk.respond(to: $0) })
    let renewal = credentials.map { [runtime.renewal(of: $0)] } ?? []
    let serving = PortService(port: port, grace: TimeAmount(settings[RuntimeSettings.shutdownGrace]), drain: drain)
    parts = renewal + [SuiteClients(byService: clients), data.history, serving]
    (self.port, self.address, logger) = (port, address, runtime.logger)
  }

  /// Listens.
  ///
  /// - Parameter other: the public port, which is closed where this one cannot be opened.
  func open(beside other: HTTPPort) async throws {
    do {
      let bound = try await port.listen(host: address.host, port: address.port)
      let shown = HostPort(host: address.host, port: bound?.port ?? address.port)
      logger.info("the operators' console is open", metadata: ["operators": "\(shown)"])
    } catch {
      await other.drain(grace: .zero)
      throw StartupError(failure: "operator-listen: \(address) cannot be listened on: \(error); name another port")
    }
  }

  private static func clients(_ runtime: FrontRuntime, _ credentials: TransportCredentials?) -> [String: [RPCClient]] {
    Set(ContractSets.owners.values).reduce(into: [:]) { found, service in
      found[service] = runtime.clients(of: service, showing: credentials)
    }
  }

  private static func gateway(
    _ runtime: FrontRuntime, _ clients: [String: [RPCClient]], _ drain: Drain,
    _ names: @escaping @Sendable () -> PublicNames
  ) throws -> (Gateway, DetailText) {
    let contract = try Contract(
      descriptorSets: ContractSets.all.map(\.serialized), types: ContractSets.detailTypes, offering: .operators)
    let routes = Routes(contract) { ContractSets.owners[$0] }
    let settings = runtime.settings
    let gateway = Gateway(
      routes,
      reflection: try GRPCReflection(descriptorSets: ContractSets.all.map(\.serialized), services: routes.services),
      clients: clients, times: .init(),
      rates: .init(
        networks: RequestRates(perSecond: settings[GatewaySettings.requestsPerAddress]),
        tokens: RequestRates(perSecond: settings[GatewaySettings.callsPerToken])),
      spans: RequestSpans(runtime.tracer), isDraining: { drain.hasBegun }, page: { _, _, _ in nil },
      session: { _, _ in nil }, names: names)
    return (gateway, contract.detailText)
  }
}

extension HTTPPort.Security {
  fileprivate var isSecure: Bool {
    if case .tls = self { true } else { false }
  }
}
