import ArgumentParser
import Glibc
import Reflection

/// `tandem bars`.
struct BarsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bars", abstract: "Look at bars from posting and joining training sessions, and lift them.",
    usage: """
      tandem bars list
      tandem bars list --user 019bc186-de00-7000-8080-000000000000 --all
      tandem bars lift 019bc186-de00-7000-8080-000000000001 --reason "The gym was closed"
      """,
    discussion: """
      Shows matching the operator's certificate: the running suite's, or that of --cert and --key. Who lifted a bar and why is \
      kept in its audit trail.
      """,
    subcommands: [ListBars.self, LiftBar.self])

  static let service = "tandem.matching.v1.Bars"
}

/// `tandem bars list`.
struct ListBars: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List bars with their causes, the newest first.")

  @Option(help: ArgumentHelp("Only the bars of this user.", valueName: "id"))
  var user = ""

  @Flag(help: "Those that have ended or were lifted, too.")
  var all = false

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with(BarsCommand.service) { [user, all] desk in
      var page = ""
      repeat {
        let answer = try await desk.call(
          "ListBars", ["userId": .string(user), "includeEnded": .bool(all), "pageToken": .string(page)],
          of: BarsCommand.service)
        for bar in answer["bars"]?.array ?? [] { Self.show(bar, desk.output) }
        page = answer["nextPageToken"]?.string ?? ""
      } while !page.isEmpty
    }
  }

  private static func show(_ record: JSONValue, _ output: OutputForm) {
    let bar = record["bar"]
    let user = record["username"]?.string ?? record["userId"]?.string
    let words = [
      bar?["barId"]?.string, user, bar?["cause"]?.string, bar?["endTime"]?.string.map { "until \($0)" },
      bar?["liftTime"]?.string.map { "lifted \($0)" },
    ]
    let line = output == .json ? record.text(.oneLine) : words.compactMap { $0 }.joined(separator: "  ")
    write(line + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem bars lift`.
struct LiftBar: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lift", abstract: "Lift a bar, so that the user may post and join sessions again.")

  @Argument(help: "The id of the bar.")
  var bar: String

  @Option(help: "Why, for the audit trail.")
  var reason: String

  @Option(help: "Who lifts it, for the audit trail; otherwise the name of the user who runs the command.")
  var actor: String?

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    let name = actor ?? environment("SUDO_USER") ?? environment("USER") ?? "operator"
    try await options.with(BarsCommand.service) { [bar, reason] desk in
      desk.show(
        try await desk.call(
          "LiftBar", ["barId": .string(bar), "reason": .string(reason), "actor": .string(name)],
          of: BarsCommand.service))
    }
  }
}
