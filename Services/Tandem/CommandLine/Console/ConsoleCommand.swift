import ArgumentParser
import Glibc
import Reflection

/// `tandem console`.
struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console", abstract: "Make a link that lets an operator's browser into the console.",
    usage: """
      tandem console
      xdg-open "$(tandem console)"
      """,
    discussion: """
      The link is good once and for ten minutes, on this machine alone; the browser stays in for eight hours, or until the \
      gateway is started again.

      Exit status: 0 done, 1 no suite is up, or it has no console.
      """)

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func run() async throws {
    let workspace = Workspace(home: Workspace.nearestHome(named: place.home))
    guard let suite = RunningSuite.find(in: workspace) else { throw ReachableSuite.missing }
    guard !suite.console.isEmpty else { throw Complaint("the suite that is up has no operators' console") }
    let link = try OperatorConsole.newLink(
      to: suite.console, in: Workspace(home: workspace.home, data: suite.data))
    let text = form.output == .json ? JSONValue.members(["link": .string(link)]).text(.oneLine) : link
    write(text + "\n", to: STDOUT_FILENO)
  }
}
