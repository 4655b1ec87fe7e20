import ArgumentParser
import Glibc
import Reflection

/// `tandem reports`.
struct ReportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reports", abstract: "Read people's reports about others, and close them.",
    usage: """
      tandem reports list
      tandem reports list --user ada --all
      tandem reports show 019bc186-de00-7000-8080-000000000001
      tandem reports close 019bc186-de00-7000-8080-000000000001 --reason "Locked the account"
      """,
    discussion: """
      Shows identity the operator's certificate: the running suite's, or that of --cert and --key. Who closed a report and \
      why is kept in its audit trail.
      """,
    subcommands: [ListReports.self, ShowReport.self, CloseReport.self])
}

/// `tandem reports list`.
struct ListReports: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List reports, the newest first.")

  @Option(
    help: ArgumentHelp("Only the reports about this user: a username, an e-mail address or an id.", valueName: "user"))
  var user = ""

  @Flag(help: "Those that were closed, too.")
  var all = false

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with { [user, all] desk in
      let id = user.isEmpty ? "" : try await desk.id(of: user)
      var page = ""
      repeat {
        let answer = try await desk.call(
          "ListReports", ["userId": .string(id), "includeClosed": .bool(all), "pageToken": .string(page)])
        for report in answer["reports"]?.array ?? [] { Self.show(report, desk.output) }
        page = answer["nextPageToken"]?.string ?? ""
      } while !page.isEmpty
    }
  }

  private static func show(_ report: JSONValue, _ output: OutputForm) {
    let words = [
      report["reportId"]?.string, report["createTime"]?.string, report["username"]?.string,
      report["reason"]?.string, report["reporterUsername"]?.string.map { "by \($0)" },
      report["closeTime"]?.string.map { "closed \($0)" },
    ]
    let line = output == .json ? report.text(.oneLine) : words.compactMap { $0 }.joined(separator: "  ")
    write(line + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem reports show`.
struct ShowReport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a report with its history.")

  @Argument(help: "The id of the report.")
  var report: String

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with { [report] desk in
      desk.show(try await desk.call("GetReport", ["reportId": .string(report)]))
    }
  }
}

/// `tandem reports close`.
struct CloseReport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Close a report, which is then listed only with --all.")

  @Argument(help: "The id of the report.")
  var report: String

  @Option(help: "Why, for the audit trail.")
  var reason: String

  @Option(help: "Who closes it, for the audit trail; otherwise the name of the user who runs the command.")
  var actor: String?

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    let name = actor ?? environment("SUDO_USER") ?? environment("USER") ?? "operator"
    try await options.with { [report, reason] desk in
      desk.show(
        try await desk.call(
          "CloseReport", ["reportId": .string(report), "reason": .string(reason), "actor": .string(name)]))
    }
  }
}
