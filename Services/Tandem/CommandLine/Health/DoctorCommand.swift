import ArgumentParser
import Glibc
import Reflection

/// `tandem doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check what the suite needs on this machine; each failure comes with its cure.",
    usage: """
      tandem doctor
      tandem doctor --port-offset 100
      tandem doctor -o json
      """,
    discussion: "Exit status: 0 all is well, 1 something is not, 2 wrong usage.")

  @Option(help: ArgumentHelp("Check the ports that `tandem up --port-offset N` takes.", valueName: "n"))
  var portOffset = 0

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func validate() throws { try Ports.check(offset: portOffset) }

  func run() async throws {
    let workspace = Workspace(home: Workspace.nearestHome(named: place.home))
    let suite = RunningSuite.find(in: workspace)
    let ports = Ports(offset: portOffset)
    var findings = await Checks(workspace: workspace, suite: suite, ports: ports).findings()
    if let suite { findings += try await services(of: suite) }
    show(findings)
    guard findings.allSatisfy({ $0.cure == nil }) else { throw ExitCode(1) }
  }

  private func services(of suite: RunningSuite) async throws -> [Finding] {
    try await StatusCommand.ask(ReachableSuite(suite), SuiteService.allCases).map { status in
      Finding(
        status.service.rawValue, status.health,
        cure: status.isServing ? nil : "see what it logs where `tandem up` runs; it is started again if it ended")
    }
  }

  private func show(_ findings: [Finding]) {
    if form.output == .json {
      return write(JSONValue.array(findings.map(\.json)).text() + "\n", to: STDOUT_FILENO)
    }
    let palette = Palette(for: STDOUT_FILENO)
    for finding in findings {
      let mark = finding.cure == nil ? palette.good("ok  ") : palette.bad("FAIL")
      write("\(mark) \(finding.subject): \(finding.state)\n", to: STDOUT_FILENO)
      if let cure = finding.cure { write("     cure: \(cure)\n", to: STDOUT_FILENO) }
    }
  }
}

/// The result of one check.
struct Finding: Sendable, Equatable {
  let subject: String
  let state: String
  /// What to do; `nil` if there is no problem.
  let cure: String?

  init(_ subject: String, _ state: String, cure: String? = nil) {
    self.subject = subject
    self.state = state
    self.cure = cure
  }

  var json: JSONValue {
    .members([
      "check": .string(subject), "ok": .bool(cure == nil), "state": .string(state),
      "cure": cure.map(JSONValue.string) ?? .null,
    ])
  }
}
