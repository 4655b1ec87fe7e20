import ArgumentParser
import Glibc
import Postgres

/// An executable of the suite: conform, mark with `@main`, and the command line, settings, ports, health, metrics and
/// life cycle are there.
///
/// `<service> [serve] | migrate | config`, each with the settings as options; `--help` and `--version`.
public protocol TandemService: AsyncParsableCommand {
  /// What the executable is.
  static var service: ServiceDescription { get }
  /// Commands of its own, beside `serve`, `migrate` and `config`; none unless it says otherwise.
  static var commands: [any ParsableCommand.Type] { get }

  /// Builds what the ports answer; `main` and tests call the same.
  ///
  /// The database is not connected and may be away: ask it only from handlers and background services.
  static func build(_ runtime: Runtime) async throws -> ServedService
}

extension TandemService {
  /// None.
  public static var commands: [any ParsableCommand.Type] { [] }

  /// The command line's shape, from ``service``.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: service.name, abstract: "\(service.purpose).",
      discussion: """
        Every setting is an option, a variable TANDEM_\(service.name.uppercased())_NAME or TANDEM_NAME, or a key of \
        the JSON file of --config or TANDEM_CONFIG_FILE, in this order. A secret that none of them sets is read from the \
        file of its name in the folder of --secrets-folder or TANDEM_SECRETS_FOLDER, where there is one.

        SETTINGS:
        \(SettingDescription.help(service.allSettings))
        """,
      version: "\(service.name) \(Release.version)",
      subcommands: [ServeCommand<Self>.self, MigrateCommand<Self>.self, ConfigCommand<Self>.self] + commands,
      defaultSubcommand: ServeCommand<Self>.self)
  }

  /// Runs the command line of this process; ends it with status 0, 2 for how it was called or configured, else 1.
  ///
  /// Not `async`, for then the first thread would be given to Dispatch, which has no use for it and ends it. To end a thread is to unwind it,
  /// and that reads tables from all over the program into memory.
  public static func main() {
    // A peer that hangs up while it is written to must not end the process.
    signal(SIGPIPE, SIG_IGN)
    Task { await runCommandLine() }
    while true { pause() }
  }

  /// Runs the command line and ends the process.
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
      for line in refusal.lines { complain("\(service.name): \(line)") }
      Glibc.exit(refusal.exitStatus)
    } catch {
      finish(with: error)
    }
  }

  /// Ends the process for what ArgumentParser threw: help and version, or a mistake on the command line.
  private static func finish(with error: any Error) -> Never {
    let message = fullMessage(for: error)
    guard exitCode(for: error).isSuccess else {
      complain(message)
      Glibc.exit(error is CleanExit || exitCode(for: error) == .validationFailure ? 2 : 1)
    }
    if message.contains("USAGE:"), !isAboutOwnCommand(message) { print(examples) }
    print(message)
    Glibc.exit(0)
  }

  /// Commands of the service's own have other examples, as their usage.
  private static func isAboutOwnCommand(_ help: String) -> Bool {
    commands.contains { help.contains("USAGE: \(service.name) \($0._commandName)") }
  }

  /// With what the service does not start without.
  private static var examples: String {
    let name = service.name
    let others = service.settings.filter(\.isRequired).map { " --\($0.key) <\($0.type)>" }.joined()
    return """
      EXAMPLES:
        \(name) --plaintext --database-url postgresql://\(ServiceRole.name(of: name)):<password>@localhost/tandem\(others)
        \(name) migrate --database-url-file /run/secrets/\(name)-database-url
        \(name) config -o json

      """
  }
}

/// Tells the user who started the process; data goes to standard output, this does not.
func complain(_ line: String) {
  let text = line + "\n"
  // With standard error gone there is nobody left to tell.
  _ = write(STDERR_FILENO, text, text.utf8.count)
}
