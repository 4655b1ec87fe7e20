import GatewayCalls
import GatewayHTTP
import GatewayOperators
import GatewayPages
import GatewayProtocols
import GatewayTranscoder
import NIOCore
import ServiceLifecycle
import ServiceRuntime
import TTRPCClient

/// Opens the operators' listener, where the settings have one.
enum OperatorListener {
  /// Its parts, in the order of dependence.
  ///
  /// - Throws: an error that names the setting to change.
  static func open(
    _ runtime: FrontRuntime, security: HTTPPort.Security, drain: Drain
  ) async throws -> [any Service] {
    let settings = runtime.settings
    guard let address = settings[OperatorSettings.listen] else { return [] }
    guard address.isLoopback else {
      throw StartupError(
        usage: "operator-listen is \(address), but the operators' console is for this machine alone: give 127.0.0.1:PORT")
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
    let clients = clients(runtime, credentials)
    let names = { @Sendable in PublicNames(hosts: [], origins: [], isSecure: security.isSecure) }
    let (gateway, detailText) = try gateway(runtime, clients, drain, names)
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
    try await listen(port, at: address, runtime)
    let renewal = credentials.map { [runtime.renewal(of: $0)] } ?? []
    let serving = PortService(port: port, grace: TimeAmount(settings[RuntimeSettings.shutdownGrace]), drain: drain)
    return renewal + [SuiteClients(byService: clients), data.history, serving]
  }

  private static func listen(_ port: HTTPPort, at address: HostPort, _ runtime: FrontRuntime) async throws {
    do {
      let bound = try await port.listen(host: address.host, port: address.port)
      let shown = HostPort(host: address.host, port: bound?.port ?? address.port)
      runtime.logger.info("the operators' console is open", metadata: ["operators": "\(shown)"])
    } catch {
      throw StartupError(
        failure: "operator-listen: \(address) cannot be listened on: \(error); name another port")
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
      isDraining: { drain.hasBegun }, page: { _ in nil }, session: { _, _ in nil }, names: names)
    return (gateway, contract.detailText)
  }
}

extension HTTPPort.Security {
  fileprivate var isSecure: Bool {
    if case .tls = self { true } else { false }
  }
}
