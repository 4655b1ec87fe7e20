import ArgumentParser
import Glibc
import Logging
import Metrics
import Postgres
import Telemetry
import Tracing
import UnixSignals

/// `serve`: runs the service until it is stopped.
struct ServeCommand<S: TandemService>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve", abstract: "Run the service until SIGTERM or SIGINT (the default).",
      discussion: "SETTINGS:\n\(SettingDescription.help(S.service.allSettings))")
  }

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let settings = try checkedSettings()
    let logger = settings.startLogging(S.service.name)
    DescriptorShares.raiseLimit()
    let registry = PrometheusRegistry()
    registry.describeEverything(of: S.service)
    MetricsSystem.bootstrap(registry)
    logger.info("starting", metadata: ["version": "\(Release.version)"])
    if !ThreadStacks.prepare() { logger.warning("the stacks of an event loop that hangs could not be logged") }
    let environment = try settings.environment(
      listening: settings[RuntimeSettings.listen], settings[RuntimeSettings.adminListen], logger: logger)
    let host = try await ServiceHost.start(
      S.self, settings: settings, environment: environment, registry: registry, until: [.sigterm, .sigint],
      stalled: LoopWatchdog.endingProcess(after: settings[RuntimeSettings.loopTimeout], logger), logger: logger)
    if let tracer = host.tracer { InstrumentationSystem.bootstrap(tracer) }
    try await host.run()
  }

  /// The settings; errors of TLS are reported together with missing settings, not after them.
  private func checkedSettings() throws(StartupError) -> Settings {
    do throws(StartupError) {
      return try S.settings(words)
    } catch {
      // With values that cannot be read TLS cannot be checked.
      guard let partial = try? S.settings(words, requiring: .nothing) else { throw error }
      do throws(StartupError) {
        _ = try TransportSecurity(partial)
      } catch let more {
        throw StartupError(usage: error.lines + more.lines)
      }
      throw error
    }
  }
}

/// `migrate`: migrates the schema and ends.
struct MigrateCommand<S: TandemService>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate", abstract: "Bring the service's schema up to date, then end.",
      discussion: "SETTINGS:\n\(SettingDescription.help(S.service.allSettings))")
  }

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let settings = try S.databaseSettings(words)
    let logger = settings.startLogging(S.service.name)
    let schema = Schema(S.service, url: settings[RuntimeSettings.databaseURL], logger: logger)
    do {
      let outcome = try await schema.migrate()
      let done =
        outcome.applied.isEmpty ? "nothing to do" : "ran \(outcome.applied.map(String.init).joined(separator: ", "))"
      print("schema \(S.service.schema) is at version \(outcome.version): \(done)")
    } catch let error as PostgresError {
      throw StartupError(
        failure:
          "the database of database-url cannot be used: \(error.reachability); check --database-url or TANDEM_DATABASE_URL"
      )
    }
  }
}

/// `config`: lists every setting with its value and its origin.
struct ConfigCommand<S: TandemService>: AsyncParsableCommand {
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
    let settings = try S.settings(words, requiring: .nothing)
    print(output == .json ? settings.json() : settings.table(), terminator: "")
    for warning in settings.warnings { complain("\(S.service.name): \(warning)") }
  }
}

extension TandemService {
  /// The settings for a command of the service's own that uses its database and serves nothing.
  ///
  /// - Parameter words: the options that the command itself does not know.
  public static func databaseSettings(_ words: [String]) throws(StartupError) -> Settings {
    // Only a process that serves needs the other required settings.
    try settings(words, requiring: .only([RuntimeSettings.databaseURL.description.key]))
  }

  /// The settings of this process.
  fileprivate static func settings(
    _ words: [String], requiring requirement: Settings.Requirement = .everything
  ) throws(StartupError) -> Settings {
    try Settings.resolve(
      service.allSettings, service: service.name,
      from: SettingSources(arguments: words, environment: SettingSources.processEnvironment), requiring: requirement)
  }
}

extension Settings {
  /// Sets up the log as configured, and logs the settings' warnings.
  func startLogging(_ service: String) -> Logger {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let format: LogFormat =
      switch self[RuntimeSettings.logFormat] {
      case .json: .json
      case .text: .text
      case .auto: isTerminal ? .text : .json
      }
    // https://no-color.org: any value but the empty one turns colour off.
    let wantsColour = isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    LogOutput(service: service, format: format, colour: wantsColour ? .always : .never)
      .bootstrap(level: self[RuntimeSettings.logLevel])
    let logger = Logger(label: service)
    for warning in warnings { logger.warning("\(warning)") }
    return logger
  }
}
