import ArgumentParser
import GRPCHealth
import GatewayCalls
import GatewayHTTP
import GatewayPages
import GatewayProtocols
import GatewaySessions
import GatewayTranscoder
import GoogleRPC
import LoopExecutor
import NIOCore
import ServiceLifecycle
import ServiceRuntime
import TTRPCClient
import TandemCatalog
import TandemChat
import TandemIdentity
import TandemImporter
import TandemLending
import TandemMatching
import TandemNotification
import TandemTracking

/// The `gateway` executable: the public and user methods of the whole suite over HTTP, by Connect, gRPC and gRPC-Web.
@main
struct GatewayProgram: FrontProgram {
  static let description = ServiceDescription(
    name: "gateway", purpose: "The suite over HTTP, for every language and for browsers", migrations: [],
    settings: GatewaySettings.all, metrics: Gateway.metricDescriptions)

  static func open(_ runtime: FrontRuntime) async throws -> FrontPort {
    let settings = runtime.settings
    let grace = TimeAmount(settings[RuntimeSettings.shutdownGrace])
    let certificate = try PublicCertificate(settings)
    let drain = Drain()
    let clients = SuiteClients(runtime)
    let routes = try Self.routes()
    let documents = Documents(descriptorSets: { ContractSets.all.map(\.serialized) }) { path in
      routes[path[...]].map { $0.descriptor.access == .user ? .user : .public }
    }
    let names = try Self.names(settings, certificate)
    let sessions = settings[GatewaySettings.sealKey].map {
      Sessions(
        seal: $0.seal, identity: clients.byService["identity"] ?? [], clock: runtime.environment.clock)
    }
    let pages = Pages(
      contract: routes.contract, documents: documents, clients: clients.byService,
      sessions: sessions.map { SessionPages($0, contract: routes.contract, names: names) },
      console: try ConsoleSettings.console(settings))
    let gateway = try Self.gateway(runtime, routes, clients, drain, pages, sessions, names)
    let security: HTTPPort.Security = if let certificate { .tls { certificate.context } } else { .plaintext }
    let port = HTTPPort(
      security: security, limits: HTTPLimits(settings), group: runtime.loops,
      takesSocket: { gateway.takesSocket($0) }, respond: { gateway.respond(to: $0) })
    let desk = try OperatorListener(runtime, security: security, drain: drain)
    let address = settings[GatewaySettings.listen]
    let bound: HostPort
    do {
      let local = try await port.listen(host: address.host, port: address.port)
      bound = HostPort(host: address.host, port: local?.port ?? address.port)
    } catch {
      throw StartupError.cannotListen(onHTTP: address, GatewaySettings.listen, because: error)
    }
    let serving = PortService(port: port, grace: grace, drain: drain)
    try await desk?.open(beside: port)
    let renewal: [any Service] = certificate.map { [CertificateRenewal(certificate: $0, logger: runtime.logger)] } ?? []
    return FrontPort(
      address: bound, security: certificate == nil ? "plaintext" : "tls",
      parts: renewal + [clients, documents] + (desk?.parts ?? []) + [serving])
  }

  private static func routes() throws -> Routes {
    let contract = try Contract(
      descriptorSets: ContractSets.all.map(\.serialized), types: ContractSets.detailTypes)
    return Routes(contract) { package in ContractSets.owners[package] }
  }

  /// The hosts of the settings, else of the present certificate.
  private static func names(
    _ settings: Settings, _ certificate: PublicCertificate?
  ) throws -> @Sendable () -> PublicNames {
    let (hosts, origins) = (settings[GatewaySettings.publicHosts], settings[GatewaySettings.allowedOrigins])
    if hosts.isEmpty, let certificate {
      return { PublicNames(hosts: certificate.hosts, origins: origins, isSecure: true) }
    }
    let names = PublicNames(hosts: hosts, origins: origins, isSecure: certificate != nil)
    return { names }
  }

  private static func gateway(
    _ runtime: FrontRuntime, _ routes: Routes, _ clients: SuiteClients, _ drain: Drain, _ pages: Pages,
    _ sessions: Sessions?, _ names: @escaping @Sendable () -> PublicNames
  ) throws -> Gateway {
    var times = Gateway.Times()
    times.call = runtime.settings[GatewaySettings.callTime]
    times.maxCall = max(times.call, runtime.settings[GatewaySettings.maxCallTime])
    times.stream = runtime.settings[GatewaySettings.streamTime]
    return Gateway(
      routes,
      reflection: try GRPCReflection(
        descriptorSets: ContractSets.all.map(\.serialized), services: routes.services),
      clients: clients.byService, times: times,
      rates: .init(
        networks: RequestRates(perSecond: runtime.settings[GatewaySettings.requestsPerAddress]),
        tokens: RequestRates(perSecond: runtime.settings[GatewaySettings.callsPerToken])),
      spans: RequestSpans(runtime.tracer), isDraining: { drain.hasBegun },
      page: { pages.responder(for: $0, admission: $1, spans: $2) },
      session: { sessions?.caller(of: $0, page: $1, for: $0.isSocket ? .socket : .call) }, names: names)
  }
}

/// The contract: which descriptors there are, and who serves what.
enum ContractSets {
  /// The services' names by the packages that they serve.
  static let owners: [String: String] = [
    "tandem.identity.v1": "identity", "tandem.notification.v1": "identity", "tandem.catalog.v1": "catalog",
    "tandem.lending.v1": "lending", "tandem.matching.v1": "matching", "tandem.tracking.v1": "tracking",
    "tandem.chat.v1": "tracking", "tandem.importer.v1": "importer",
  ]

  struct DescriptorSet {
    let serialized: [UInt8]
  }

  static var all: [DescriptorSet] {
    [
      GRPCHealth.FileDescriptors.serialized, GoogleRPC.FileDescriptors.serialized,
      TandemIdentity.FileDescriptors.serialized, TandemNotification.FileDescriptors.serialized,
      TandemCatalog.FileDescriptors.serialized, TandemLending.FileDescriptors.serialized,
      TandemMatching.FileDescriptors.serialized, TandemTracking.FileDescriptors.serialized,
      TandemChat.FileDescriptors.serialized, TandemImporter.FileDescriptors.serialized,
    ].map(DescriptorSet.init)
  }

  /// Details of errors, which no method names.
  static let detailTypes = ["ErrorInfo", "BadRequest", "RetryInfo", "LocalizedMessage"].map { "google.rpc.\($0)" }
}
