import ArgumentParser
import Glibc
import ServiceRuntime
import TTRPC

/// The command line for operators and for first-time users.
@main
struct Tandem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tandem", abstract: "Runs the Tandem suite on this machine, and talks to it anywhere.",
    usage: """
      tandem up
      tandem tour
      tandem rpc call tandem.identity.v1.Profiles/ListProfileOptions
      tandem status
      tandem --generate-completion-script bash > ~/.local/share/bash-completion/completions/tandem
      """,
    discussion: """
      Data goes to standard output, messages to standard error; -o json makes data JSON. Options come before \
      environment variables, and those before what a running `tandem up` says of itself in .tandem/state.json. Nothing is \
      ever asked without a terminal. NO_COLOR turns colours off.

      Exit status: 0 done, 1 not done, 2 wrong usage; `rpc` and `tour` besides 64 + the code of a refused call.
      """,
    version: "tandem \(Release.version)",
    subcommands: [
      UpCommand.self, ResetCommand.self, ConsoleCommand.self, LogCommand.self, TourCommand.self, DemoCommand.self,
      RPCCommand.self, UsersCommand.self, ReportsCommand.self,
      BarsCommand.self,
      TrackersCommand.self, ReplayCommand.self,
      KeysCommand.self,
      StatusCommand.self, DoctorCommand.self, CheckCommand.self, JobsCommand.self, EventsCommand.self,
      ProvisionCommand.self,
      MigrateCommand.self, SamplesCommand.self, LoadCommand.self,
    ] + developmentCommands)

  /// What is not deployed.
  private static var developmentCommands: [any ParsableCommand.Type] {
    #if DEVELOPMENT
      [TestCommand.self]
    #else
      []
    #endif
  }

  /// Runs the command line of this process and ends it.
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Glibc.exit(0)
    } catch let status as TTRPC.Status {
      tell(status.text(.ofErrors))
      Glibc.exit(status.exitStatus)
    } catch let complaint as Complaint {
      for line in complaint.description.split(separator: "\n") { tell("tandem: \(line)") }
      Glibc.exit(complaint.exitStatus)
    } catch {
      finish(with: error)
    }
  }

  /// Ends the process for an error of ArgumentParser: help, version and completions, a usage error, or an exit code.
  private static func finish(with error: any Error) -> Never {
    let code = exitCode(for: error)
    if code.isSuccess {
      write(HelpText.withExamplesFirst(fullMessage(for: error)) + "\n", to: STDOUT_FILENO)
      Glibc.exit(0)
    }
    if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
    let isUsage = code == .validationFailure
    tell("tandem: \(message(for: error))" + (isUsage ? "; --help shows what there is" : ""))
    Glibc.exit(isUsage ? 2 : 1)
  }
}

/// ArgumentParser's help, reordered.
enum HelpText {
  /// Moves the examples, which commands have as their usage, to the top.
  static func withExamplesFirst(_ text: String) -> String {
    let sections = text.split(separator: "\n\n").map(String.init)
    guard let index = sections.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return text }
    let lines = sections[index].dropFirst("USAGE: ".count).split(separator: "\n")
    let examples = lines.map { "  " + $0.drop { $0 == " " } }.joined(separator: "\n")
    var rest = sections
    rest.remove(at: index)
    return (["EXAMPLES:\n" + examples] + rest).joined(separator: "\n\n")
  }
}

/// The output format of a command.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// The option `-o` of every command with output.
struct OutputOption: ParsableArguments {
  @Option(name: [.customShort("o"), .customLong("output")], help: "How data is written.")
  var output = OutputForm.text
}
