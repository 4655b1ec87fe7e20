import ClientAddresses
import Environment
import Events
import GRPCHealth
import Jobs
import Live
import Logging
import LoopExecutor
import NIOCore
import Postgres
import ServiceLifecycle
import TTRPC
import TTRPCServer
import TandemEvents
import TandemRPC
import Telemetry
import Tracing
import UnixSignals

/// A service with its ports open, as `main` and tests run it.
public final class ServiceHost: Sendable {
  /// The address that the RPC port is bound to.
  public let rpcAddress: HostPort
  /// The address that the port for health and metrics is bound to.
  public let adminAddress: HostPort
  /// Records the service's spans; `nil` when tracing is off.
  public let tracer: (any Tracer)?
  private let loops: LoopGroup
  private let group: ServiceGroup
  private let watchdog: LoopWatchdog?
  private let announcement: ReadinessPromise
  private let logger: Logger

  fileprivate init(
    rpcAddress: HostPort, adminAddress: HostPort, tracer: (any Tracer)?, loops: LoopGroup, group: ServiceGroup,
    watchdog: LoopWatchdog?, announcement: ReadinessPromise, logger: Logger
  ) {
    self.rpcAddress = rpcAddress
    self.adminAddress = adminAddress
    self.tracer = tracer
    self.loops = loops
    self.group = group
    self.watchdog = watchdog
    self.announcement = announcement
    self.logger = logger
  }

  /// Builds the service and opens both ports; the database need not be available yet. The caller must then call
  /// ``run()``.
  ///
  /// - Parameters:
  ///   - signals: the signals that stop ``run()``, as ``stop()`` does.
  ///   - stalled: called when an event loop hangs; `nil` for no watchdog.
  ///   - refused: called on the event loop for each reason with which a call is refused.
  /// - Throws: ``StartupError`` for bad settings, TLS files and ports in use; the errors of the service's `build`.
  public static func start<S: TandemService>(
    _ type: S.Type, settings: Settings, environment: Environment = .system,
    registry: PrometheusRegistry = PrometheusRegistry(),
    until signals: [UnixSignal] = [], stalled: (@Sendable (_ eventLoop: Int, _ work: LoopedWork?) -> Void)? = nil,
    refused: (@Sendable (ObservedRefusal) -> Void)? = nil, logger: Logger
  ) async throws -> ServiceHost {
    let began = ContinuousClock.now
    let security = try TransportSecurity(settings)
    try LimitSettings.check(settings)
    let loops = LoopGroup(threads: settings[RuntimeSettings.threads])
    do {
      var parts = try await ServiceParts.build(
        type, settings: settings, security: security, environment: environment, loops: loops, logger: logger)
      parts.refused = refused
      let watchdog = stalled.map { LoopWatchdog(loops, limit: settings[RuntimeSettings.loopTimeout], stalled: $0) }
      return try await parts.open(registry: registry, began: began, until: signals, watchdog: watchdog)
    } catch {
      try await loops.shutdown()
      throw error
    }
  }

  /// Runs until the service is stopped, then drains and closes.
  public func run() async throws {
    do {
      try await group.run()
    } catch {
      announcement.make(false)
      try await shutDownLoops()
      throw error
    }
    try await shutDownLoops()
    logger.info("stopped")
  }

  private func shutDownLoops() async throws {
    await watchdog?.stop()
    try await loops.shutdown()
  }

  /// Makes ``run()`` stop; returns at once.
  public func stop() async { await group.triggerGracefulShutdown() }

  /// Whether the service became ready; waits until it did or ended before.
  public var becameReady: Bool {
    get async { await announcement.outcome }
  }
}

/// The parts of a service before its ports are open.
private struct ServiceParts {
  let runtime: Runtime
  let served: ServedService
  let backbone: ServiceInfrastructure
  let schema: Schema
  let bus: any LiveBus & Service
  let spans: SpanExport?
  let observation: ReadinessObservation
  var refused: (@Sendable (ObservedRefusal) -> Void)?

  static func build<S: TandemService>(
    _ type: S.Type, settings: Settings, security: TransportSecurity, environment: Environment, loops: LoopGroup,
    logger: Logger
  ) async throws -> ServiceParts {
    let service = S.service
    let url = settings[RuntimeSettings.databaseURL]
    let database: Database
    do {
      var configuration = DatabaseConfiguration(settings, applicationName: service.name, schema: service.schema)
      configuration.connectionLimit = ConnectionLimit(settings)
      database = try Database(configuration, loops: loops.executors, logger: logger)
    } catch {
      throw StartupError(usage: "setting database-url: \(error.reachability)")
    }
    let schema = Schema(service, url: url, logger: logger) {
      // A schema that was restored has to begin a new epoch before any event is published.
      if service.tellsEvents { try await EventEpochs(of: database, logger: logger).check() }
    }
    let readiness = Readiness()
    readiness.add("database") { await database.unhealthyReason }
    readiness.add("migrations") { schema.unhealthyReason }
    readiness.describe("version") { Release.version }
    readiness.describe("schema") { schema.version.map(String.init) }
    readiness.describe("database") { Secrecy.secretURL.shown(url) }
    let bus = try liveBus(settings, service: service, environment: environment, loops: loops, logger: logger)
    let spans = try SpanExport(settings, service: service, environment: environment, loops: loops, logger: logger)
    let runtime = Runtime(
      service: service, settings: settings, database: database, live: bus, environment: environment,
      jobs: Jobs(environment: environment, service: service.name, bus: bus), loops: loops, logger: logger,
      readiness: readiness,
      tracer: spans?.recorder,
      events: Outbox(of: service.name, live: bus, clock: environment.clock) { schema.isCurrent },
      security: security,
      peers: Peers(settings, security: security, loops: loops, tracer: spans?.recorder))
    let served = try await S.build(runtime)
    return ServiceParts(
      runtime: runtime, served: served, backbone: try ServiceInfrastructure(runtime, served), schema: schema, bus: bus,
      spans: spans,
      observation: ReadinessObservation(readiness))
  }

  func open(
    registry: PrometheusRegistry, began: ContinuousClock.Instant,
    until signals: [UnixSignal], watchdog: LoopWatchdog?
  ) async throws -> ServiceHost {
    let settings = runtime.settings
    let grace = settings[RuntimeSettings.shutdownGrace]
    let (server, rpc) = try await startServer(settings[RuntimeSettings.listen], grace)
    let admin: AdminServer
    do {
      admin = try await AdminServer.start(
        on: settings[RuntimeSettings.adminListen], group: runtime.loops.eventLoops, readiness: runtime.readiness,
        registry: registry, unhealthyReason: { watchdog?.unhealthyReason }, settings: settings, logger: runtime.logger)
    } catch {
      await server.stop()
      throw error
    }
    runtime.logger.info(
      "listening", metadata: ["rpc": "\(rpc)", "security": "\(runtime.security.name)", "admin": "\(admin.address)"])
    sayExpiry()
    runtime.loops.logLongTurns(runtime.logger)
    if let watchdog, !watchdog.start() {
      runtime.logger.warning("no thread to watch the event loops: one that hangs will not end the process")
    }
    let announcement = ReadinessPromise()
    let startup = Startup(
      schema: schema, database: runtime.database, otherConnections: bus is PostgresBus ? PostgresBus.connections : 0,
      loops: runtime.loops, readiness: runtime.readiness,
      migrates: settings[RuntimeSettings.migrateAtStart],
      readyFile: settings[RuntimeSettings.readyFile].map(ReadyFile.init), rpc: rpc, admin: admin.address, began: began,
      announcement: announcement, logger: runtime.logger)
    return ServiceHost(
      rpcAddress: rpc, adminAddress: admin.address, tracer: runtime.tracer, loops: runtime.loops,
      group: group([admin, server, startup], grace, signals), watchdog: watchdog, announcement: announcement,
      logger: runtime.logger)
  }

  /// Logs that the certificate has expired. The service runs all the same: its files are polled, and a new one may
  /// come.
  private func sayExpiry() {
    guard case .tls(let credentials) = runtime.security else { return }
    let end = credentials.contents.notAfter
    guard end <= runtime.environment.clock.now else { return }
    runtime.logger.error(
      "the certificate has expired: clients refuse it until its files are renewed", metadata: ["not_after": "\(end)"])
  }

  /// The running parts, in the order of dependence. They are stopped in reverse: first readiness is withdrawn, then
  /// calls drain while health is still served.
  private func group(_ ports: [any Service], _ grace: Duration, _ signals: [UnixSignal]) -> ServiceGroup {
    let users = (backbone.background + worker + served.background).map {
      StartedAfterMigration(part: $0, schema: schema) as any Service
    }
    let services =
      (spans.map { [$0.exporter] } ?? []) + renewal + [runtime.database, bus] + users + [observation] + ports
    var configuration = ServiceGroupConfiguration(
      services: services.map { .init(service: $0) }, gracefulShutdownSignals: signals, logger: runtime.logger.quieter)
    // The RPC port ends its calls within the grace period; other parts get a moment more before they are cancelled.
    configuration.maximumGracefulShutdownDuration = grace + .seconds(2)
    return ServiceGroup(configuration: configuration)
  }

  /// Stopped after `served.background`, which may schedule jobs as it ends.
  private var worker: [any Service] {
    if served.jobs.isEmpty { return [] }
    let limits = JobWorkerLimits(runtime.settings)
    return [
      JobWorker(
        served.jobs, jobs: runtime.jobs, database: runtime.database, limits: limits, logger: runtime.logger)
    ]
  }

  private var renewal: [any Service] {
    guard case .tls(let credentials) = runtime.security else { return [] }
    return [CredentialsRenewal(credentials, logger: runtime.logger)]
  }

  private func startServer(
    _ address: HostPort, _ grace: Duration
  ) async throws(StartupError) -> (RPCServer, HostPort) {
    let limits = try keptLimits()
    do {
      let server = RPCServer(
        address: try SocketAddress.makeAddressResolvingHost(address.host, port: address.port),
        security: runtime.security.server, router: router(), interceptors: interceptors(), tracer: runtime.tracer,
        limits: limits, forwardedAddress: { $0.forwardedText },
        services: Set(ServiceDescription.allNames + [CallContext.gatewayName]), grace: grace, group: runtime.loops,
        logger: runtime.logger)
      let bound = try await server.start()
      return (server, HostPort(host: address.host, port: bound.port ?? address.port))
    } catch {
      throw .cannotListen(on: address, RuntimeSettings.listen, because: error)
    }
  }

  /// The configured limits, lowered to what the process's limit of open files allows; a warning is logged where they
  /// are.
  private func keptLimits() throws(StartupError) -> RPCServer.Limits {
    var limits = RPCServer.Limits(runtime.settings)
    let settings = runtime.settings
    // Beside transactions and slow statements a loop has a connection for reads and one for writes.
    let descriptors = DescriptorShares(
      loops: runtime.loops.executors.count,
      connectionsPerLoop: 2 + settings[DatabaseSettings.transactionsPerLoop] + settings[DatabaseSettings.slowPerLoop])
    let asked = limits.connections
    guard
      try descriptors.lower(
        &limits, isAddressLimitAsked: runtime.settings.origin(of: LimitSettings.connectionsPerAddress) != nil)
    else { return limits }
    runtime.logger.warning(
      "a limit is lowered: its connections would be more than the process may have open files",
      metadata: [
        "setting": "\(LimitSettings.connections.description.key)", "asked": "\(asked)", "kept": "\(limits.connections)",
        "kept_per_address": "\(limits.connectionsPerAddress)", "open_files": "\(descriptors.limit)",
        "cure": "\(DescriptorShares.cure)",
      ])
    return limits
  }

  /// The service's own methods, the event log, health and reflection.
  private func router() -> Router {
    var router = Router(served.services)
    backbone.log?.register(in: &router)
    let names = Set(router.descriptors.map(\.service)).union(Self.builtIn)
    Health(observation: observation, services: names).register(in: &router)
    let descriptors = served.descriptors
    Reflection(services: names) {
      descriptors() + [
        GRPCHealth.FileDescriptors.serialized, TandemRPC.FileDescriptors.serialized,
        TandemEvents.FileDescriptors.serialized,
      ]
    }.register(in: &router)
    return router
  }

  private func interceptors() -> [any ServerInterceptor] {
    let contract = served.services + (backbone.log.map { [$0] } ?? [])
    let observation = refused.map { [RefusalObservation(contract, $0)] } ?? []
    return observation + [
      CallLogging(runtime.logger), SchemaGate(schema: schema, exempt: Self.builtIn),
      Authentication(served.authenticator ?? backbone.tokens, at: runtime.service.name),
    ]
  }

  private static let builtIn: Set<String> = [Health.serviceName, Reflection.serviceName]
}

extension Database {
  /// Why a service cannot work with it now; `nil` when it can.
  var unhealthyReason: String? {
    get async {
      do {
        if try await isStandby() { return "the server is a standby, which takes no changes" }
        return hasFullDisk ? "the server's disk is full" : nil
      } catch let error as PostgresError {
        return error.reachability
      } catch {
        return "\(error)"
      }
    }
  }
}

extension Logger {
  /// The logger without the messages of the life cycle.
  fileprivate var quieter: Logger {
    var logger = self
    logger.logLevel = max(logLevel, .warning)
    return logger
  }
}
