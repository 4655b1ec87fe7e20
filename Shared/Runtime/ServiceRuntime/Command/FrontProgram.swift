import ArgumentParser
public import Environment
import Glibc
import Logging
import LoopExecutor
import Metrics
import ServiceLifecycle
import TTRPC
import TTRPCClient
import Telemetry
import Tracing
import UnixSignals

/// An executable of the suite that stands before the services and owns nothing: no schema, no rule, no events. Conform and mark the
/// type with `@main`: the protocol provides the command line, settings, the port for health and metrics, and the life cycle.
///
/// `<program> [serve] | config`, each with the settings as options; `--help` and `--version`.
public protocol FrontProgram: AsyncParsableCommand {
  /// Its name, its own settings and its metrics; it has no migrations.
  static var description: ServiceDescription { get }

  /// Opens the program's port; `main` and tests call the same.
  static func open(_ runtime: FrontRuntime) async throws -> FrontPort
}

/// What a front program is built from.
public struct FrontRuntime: Sendable {
  /// The validated settings.
  public let settings: Settings
  public let loops: LoopGroup
  public let logger: Logger
  /// The readiness checks, to which the program adds its own.
  public let readiness: Readiness
  /// Clock and randomness.
  public let environment: Environment
  /// Records spans; `nil` when tracing is off.
  public let tracer: (any Tracer)?
  let security: TransportSecurity
  private let metrics = ClientMetrics()

  init(
    settings: Settings, loops: LoopGroup, logger: Logger, readiness: Readiness, environment: Environment,
    tracer: (any Tracer)?, security: TransportSecurity
  ) {
    (self.settings, self.loops, self.logger, self.readiness) = (settings, loops, logger, readiness)
    (self.environment, self.tracer, self.security) = (environment, tracer, security)
  }

  /// Clients of a service of the suite, one on each event loop; `nil` when the settings do not have its address. The caller closes them.
  public func clients(of service: String) -> [RPCClient]? {
    clients(of: service, security)
  }

  /// The same with another certificate than the program's own.
  ///
  /// - Parameter credentials: see ``credentials(certificate:key:)``; `nil` where the services answer without TLS.
  public func clients(of service: String, showing credentials: TransportCredentials?) -> [RPCClient]? {
    clients(of: service, credentials.map { .tls($0) } ?? .plaintext)
  }

  /// A certificate for the services, trusting the authorities that the program's own trusts; `nil` where they answer without TLS.
  ///
  /// - Throws: an error that names the file and what is wrong.
  public func credentials(certificate: String, key: String) throws(StartupError) -> TransportCredentials? {
    guard case .tls(let own) = security else { return nil }
    return try TransportCredentials(
      TransportFiles(certificate: certificate, key: key, clientCA: own.files.clientCA, clients: .optional))
  }

  /// Keeps credentials up to date with their files, as a part of the program.
  public func renewal(of credentials: TransportCredentials) -> any Service {
    CredentialsRenewal(credentials, isOwn: false, logger: logger)
  }

  private func clients(of service: String, _ security: TransportSecurity) -> [RPCClient]? {
    guard let setting = PeerSettings.addresses[service] else {
      preconditionFailure("the suite has no service \(service)")
    }
    guard let address = settings[setting] else { return nil }
    var settings = RPCClient.Settings()
    settings.metrics = metrics
    return loops.executors.map { executor in
      RPCClient(
        host: address.host, port: address.port, security: security.client(toward: service), settings: settings,
        on: executor)
    }
  }
}

/// An open port of a front program.
public struct FrontPort: Sendable {
  /// The address that it is bound to.
  public let address: HostPort
  /// How it is protected, for the log.
  public let security: String
  /// In the order of dependence; stopped in reverse.
  public let parts: [any Service]

  public init(address: HostPort, security: String, parts: [any Service]) {
    (self.address, self.security, self.parts) = (address, security, parts)
  }
}

/// The settings of front programs.
public enum FrontSettings {
  /// Those of every service that have a meaning without a database and without an RPC port, then the services' addresses.
  static let all: [SettingDescription] =
    [
      RuntimeSettings.adminListen.description, RuntimeSettings.tlsCertificate.description,
      RuntimeSettings.tlsKey.description, RuntimeSettings.tlsClientCA.description,
      RuntimeSettings.plaintext.description, RuntimeSettings.logFormat.description,
      RuntimeSettings.logLevel.description, RuntimeSettings.collector.description,
      RuntimeSettings.collectorHeaders.description, RuntimeSettings.traceRatio.description,
      RuntimeSettings.shutdownGrace.description,
      RuntimeSettings.threads.description, RuntimeSettings.loopTimeout.description,
      RuntimeSettings.readyFile.description, RuntimeSettings.developmentClock.description,
    ] + PeerSettings.all

  /// How the program connects to the services.
  static func security(_ settings: Settings) throws(StartupError) -> TransportSecurity {
    let (certificate, key, authority) = (
      settings[RuntimeSettings.tlsCertificate], settings[RuntimeSettings.tlsKey],
      settings[RuntimeSettings.tlsClientCA]
    )
    if settings[RuntimeSettings.plaintext] { return .plaintext }
    guard let certificate, let key, let authority else {
      throw StartupError(
        usage:
          "no certificate for the services: give --tls-cert, --tls-key and --tls-client-ca (TANDEM_TLS_CERT, TANDEM_TLS_KEY, TANDEM_TLS_CLIENT_CA), or --plaintext where they answer without TLS"
      )
    }
    return .tls(
      try TransportCredentials(
        TransportFiles(certificate: certificate, key: key, clientCA: authority, clients: .optional)))
  }
}

extension FrontProgram {
  /// The command line, from ``description``.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: description.name, abstract: "\(description.purpose).",
      discussion: """
        Every setting is an option, a variable TANDEM_\(description.name.uppercased())_NAME or TANDEM_NAME, or a key of \
        the JSON file of --config or TANDEM_CONFIG_FILE, in this order.

        SETTINGS:
        \(SettingDescription.help(settings))
        """,
      version: "\(description.name) \(Release.version)",
      subcommands: [ServeFrontCommand<Self>.self, ConfigFrontCommand<Self>.self],
      defaultSubcommand: ServeFrontCommand<Self>.self)
  }

  static var settings: [SettingDescription] { description.settings + FrontSettings.all }

  /// Runs the command line of this process; ends it with status 0, 2 for wrong usage or settings, else 1.
  ///
  /// Not `async`, for the reason of ``TandemService/main()``.
  public static func main() {
    // A write to a closed connection must not end the process.
    signal(SIGPIPE, SIG_IGN)
    Task { await runCommandLine() }
    while true { pause() }
  }

  private static func runCommandLine() async -> Never {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Glibc.exit(0)
    } catch let refusal as StartupError {
      for line in refusal.lines { complain("\(description.name): \(line)") }
      Glibc.exit(refusal.exitStatus)
    } catch {
      let message = fullMessage(for: error)
      guard exitCode(for: error).isSuccess else {
        complain(message)
        Glibc.exit(error is CleanExit || exitCode(for: error) == .validationFailure ? 2 : 1)
      }
      print(message)
      Glibc.exit(0)
    }
  }

  fileprivate static func resolved(
    _ words: [String], requiring requirement: Settings.Requirement = .everything
  ) throws(StartupError) -> Settings {
    try Settings.resolve(
      settings, service: description.name,
      from: SettingSources(arguments: words, environment: SettingSources.processEnvironment), requiring: requirement)
  }
}

/// `serve`: runs the program until it is stopped.
struct ServeFrontCommand<F: FrontProgram>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve", abstract: "Run until SIGTERM or SIGINT (the default).",
      discussion: "SETTINGS:\n\(SettingDescription.help(F.settings))")
  }

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let settings = try F.resolved(words)
    let logger = settings.startLogging(F.description.name)
    DescriptorShares.raiseLimit()
    let registry = PrometheusRegistry()
    registry.describeEverything(of: F.description)
    MetricsSystem.bootstrap(registry)
    logger.info("starting", metadata: ["version": "\(Release.version)"])
    if !ThreadStacks.prepare() { logger.warning("the stacks of an event loop that hangs could not be logged") }
    try await FrontHost<F>(settings: settings, registry: registry, logger: logger).run()
  }
}

/// `config`: lists every setting with its value and its origin.
struct ConfigFrontCommand<F: FrontProgram>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "config", abstract: "List every setting: value, where it comes from, default, meaning.")
  }

  /// The format of the list.
  enum Output: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @Option(name: [.customShort("o"), .customLong("output")], help: "How the list is written.")
  var output = Output.table

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let settings = try F.resolved(words, requiring: .nothing)
    print(output == .json ? settings.json() : settings.table(), terminator: "")
    for warning in settings.warnings { complain("\(F.description.name): \(warning)") }
  }
}

/// A front program from its start to its end.
private struct FrontHost<F: FrontProgram> {
  let settings: Settings
  let registry: PrometheusRegistry
  let logger: Logger

  func run() async throws {
    let began = ContinuousClock.now
    let security = try FrontSettings.security(settings)
    let loops = LoopGroup(threads: settings[RuntimeSettings.threads])
    let limit = settings[RuntimeSettings.loopTimeout]
    let watchdog = LoopWatchdog(loops, limit: limit, stalled: LoopWatchdog.endingProcess(after: limit, logger))
    do {
      try await serve(security, loops, watchdog, began)
    } catch {
      await watchdog.stop()
      try await loops.shutdown()
      throw error
    }
    await watchdog.stop()
    try await loops.shutdown()
    logger.info("stopped")
  }

  private func serve(
    _ security: TransportSecurity, _ loops: LoopGroup, _ watchdog: LoopWatchdog, _ began: ContinuousClock.Instant
  ) async throws {
    let readiness = Readiness()
    readiness.describe("version") { Release.version }
    let environment = try settings.environment(listening: settings[RuntimeSettings.adminListen], logger: logger)
    let spans = try SpanExport(
      settings, service: F.description, environment: environment, loops: loops, logger: logger)
    let port = try await F.open(
      FrontRuntime(
        settings: settings, loops: loops, logger: logger, readiness: readiness, environment: environment,
        tracer: spans?.recorder, security: security))
    try settings.checkClock(listening: port.address)
    let admin = try await AdminServer.start(
      on: settings[RuntimeSettings.adminListen], group: loops.eventLoops, readiness: readiness, registry: registry,
      unhealthyReason: { watchdog.unhealthyReason }, settings: settings, logger: logger)
    logger.info(
      "listening",
      metadata: [
        "http": "\(port.address)", "security": "\(port.security)", "services": "\(security.name)",
        "admin": "\(admin.address)",
      ])
    loops.logLongTurns(logger)
    if !watchdog.start() {
      logger.warning("no thread to watch the event loops: one that hangs will not end the process")
    }
    let announcement = FrontAnnouncement(
      readiness: readiness, readyFile: settings[RuntimeSettings.readyFile].map(ReadyFile.init), address: port.address,
      admin: admin.address, began: began, logger: logger)
    var first: [any Service] = spans.map { [$0.exporter] } ?? []
    if case .tls(let credentials) = security { first.append(CredentialsRenewal(credentials, logger: logger)) }
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    var configuration = ServiceGroupConfiguration(
      services: (first + [admin] + port.parts + [announcement]).map { .init(service: $0) },
      gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
    // The port ends its calls within the grace period; other parts get a moment more before they are cancelled.
    configuration.maximumGracefulShutdownDuration = settings[RuntimeSettings.shutdownGrace] + .seconds(2)
    try await ServiceGroup(configuration: configuration).run()
  }
}

/// Tells that a front program is ready, and withdraws that first when it stops.
private struct FrontAnnouncement: Service {
  let readiness: Readiness
  let readyFile: ReadyFile?
  let address: HostPort
  let admin: HostPort
  let began: ContinuousClock.Instant
  let logger: Logger

  func run() async throws {
    try readyFile?.write(rpc: address, admin: admin)
    let elapsed = (ContinuousClock.now - began) / .milliseconds(1)
    logger.info(
      "ready", metadata: ["http": "\(address)", "admin": "\(admin)", "after_ms": "\(Int(elapsed.rounded()))"])
    try? await gracefulShutdown()
    readiness.add("running") { "the program is stopping" }
    readyFile?.remove()
  }
}

extension StartupError {
  /// The error for an HTTP address that cannot be listened on.
  public static func cannotListen(onHTTP address: HostPort, _ setting: Setting<HostPort>, because error: any Error)
    -> StartupError
  {
    cannotListen(on: address, setting, because: error)
  }
}
