import ArgumentParser
import Glibc
import Reflection

/// `tandem log`.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what the programs of `tandem up` wrote last.",
    usage: """
      tandem log
      tandem log --service identity --limit 50
      """,
    discussion: """
      The last 4 to 8 MB are kept in .tandem/log, those of the start too.

      Exit status: 0 done, 1 there is no log.
      """)

  @Option(help: ArgumentHelp("The lines of one program, such as identity, gateway or postgres.", valueName: "name"))
  var service: String?

  @Option(help: ArgumentHelp("So many lines, 1 to 10000.", valueName: "number"))
  var limit = 200

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 10000") }
  }

  func run() throws {
    let home = Workspace(home: Workspace.nearestHome(named: place.home))
    let workspace = Workspace(home: home.home, data: RunningSuite.find(in: home)?.data)
    guard Files.exists(workspace.log) else {
      throw Complaint("there is no log in \(Paths.shown(workspace.data)); `tandem up` writes it")
    }
    let lines = LogFile.last(limit, of: service, in: workspace.log)
    if form.output == .json {
      let all = lines.map { JSONValue.members(["service": .string($0.program), "line": .string($0.text)]) }
      return write(JSONValue.array(all).text() + "\n", to: STDOUT_FILENO)
    }
    for line in lines { write("\(line.program) | \(line.text)\n", to: STDOUT_FILENO) }
  }
}
