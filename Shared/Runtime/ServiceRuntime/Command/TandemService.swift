import ArgumentParser
import Glibc
import Postgres

/// An executable of the suite. Conform and mark the type with `@main`: the protocol provides the command line,
/// settings, ports, health, metrics and life cycle.
///
/// `<service> [serve] | migrate | config`, each with the settings as options; `--help` and `--version`.
public protocol TandemService: AsyncParsableCommand {
  static var service: ServiceDescription { get }
  /// Commands of its own, beside `serve`, `migrate` and `config`; none by default.
  static var commands: [any ParsableCommand.Type] { get }

  /// Builds the service; `main` and tests call the same.
  ///
  /// The database is not connected and may be unavailable: use it only in handlers and background services.
  static func build(_ runtime: Runtime) async throws -> ServedService
}

extension TandemService {
  public static var commands: [any ParsableCommand.Type] { [] }

  /// The command line, from ``service``.
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

  /// Runs the command line of this process; ends it with status 0, 2 for wrong usage or settings, else 1.
  ///
  /// Not `async`: then the first thread would be given to Dispatch, which has no use for it and ends it. Ending a
  /// thread unwinds it, and that reads tables from all over the program into memory.
  public static func main() {
    // A write to a closed connection must not end the process.
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

  /// Ends the process after an error of ArgumentParser: help and version, or a mistake on the command line.
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

  /// Commands of the service's own have examples of their own in their usage.
  private static func isAboutOwnCommand(_ help: String) -> Bool {
    commands.contains { help.contains("USAGE: \(service.name) \($0._commandName)") }
  }

  /// The options without which the service does not start.
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

/// Writes a line to standard error, for the user who started the process; data goes to standard output.
func complain(_ line: String) {
  let text = line + "\n"
  // With standard error gone there is nowhere left to report to.
  _ = write(STDERR_FILENO, text, text.utf8.count)
}
