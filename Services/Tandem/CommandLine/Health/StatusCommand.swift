import ArgumentParser
import Glibc
import LoopExecutor
import Postgres
import Reflection

/// `tandem status`.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show each service's address, health, version, schema and database, and what it lacks.",
    usage: """
      tandem status
      tandem status -o json
      tandem status --service identity
      """,
    discussion: """
      Without --service it shows the suite that `tandem up` runs from .tandem. With it, it asks that service alone; where \
      no suite runs, at the port of TANDEM_<SERVICE>_ADMIN_LISTEN on this host, as a container's health check needs it.

      Below the services it lists what does not work for lack of data or of a setting, with the command or the setting \
      that mends it. A service that lacks something is serving all the same.

      Exit status: 0 every service that was asked is serving, 1 not, 2 wrong usage.
      """)

  @Option(help: ArgumentHelp("Ask one service.", valueName: "name"))
  var service: SuiteService?

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func run() async throws {
    let suite = RunningSuite.find(in: Workspace(home: Workspace.nearestHome(named: place.home)))
    guard let suite else {
      guard let service else {
        throw Complaint("no suite is up here; `tandem up` starts one, --home names another folder")
      }
      return try await showAlone(service)
    }
    let statuses = try await Self.ask(suite, service.map { [$0] } ?? SuiteService.allCases)
    show(statuses)
    guard statuses.allSatisfy(\.isServing) else { throw ExitCode(1) }
  }

  /// The state of services of a running suite.
  static func ask(_ suite: RunningSuite, _ services: [SuiteService]) async throws -> [ServiceStatus] {
    var connection = ConnectionOptions.forSuite
    connection.ca = suite.authority
    let loops = LoopGroup(threads: 1)
    var statuses: [ServiceStatus] = []
    for service in services {
      guard let address = suite.services[service] else { continue }
      let target = try connection.target(at: address.rpc, suite)
      statuses.append(
        try await ServiceStatus.ask(service, target, admin: hostAndPort(address.admin), on: loops.executors[0]))
    }
    try await loops.shutdown()
    return statuses
  }

  private static func hostAndPort(_ address: String) -> (String, Int) {
    guard let colon = address.lastIndex(of: ":") else { return (address, 0) }
    let host = address[..<colon].filter { $0 != "[" && $0 != "]" }
    return (String(host), Int(address[address.index(after: colon)...]) ?? 0)
  }

  private func showAlone(_ service: SuiteService) async throws {
    let name = service.rawValue.uppercased()
    let listen = environment("TANDEM_\(name)_ADMIN_LISTEN") ?? environment("TANDEM_ADMIN_LISTEN")
    let port = listen.map { Self.hostAndPort($0).1 } ?? service.standardAdminPort
    let answer = try await BackgroundThread.run { AdminPage.readiness(host: "127.0.0.1", port: port) }
    guard let answer else { throw Complaint("\(service.rawValue) does not answer at 127.0.0.1:\(port)") }
    write(answer.text(form.output == .json ? .indented : .oneLine) + "\n", to: STDOUT_FILENO)
    guard answer["ready"] == .bool(true) else { throw ExitCode(1) }
  }

  private func show(_ statuses: [ServiceStatus]) {
    if form.output == .json {
      return write(JSONValue.array(statuses.map(\.json)).text() + "\n", to: STDOUT_FILENO)
    }
    var table = TextTable(["SERVICE", "ADDRESS", "HEALTH", "VERSION", "SCHEMA", "DATABASE"])
    for status in statuses {
      table.add([
        status.service.rawValue, status.address, status.health, status.version ?? "-", status.schemaVersion ?? "-",
        status.database ?? "-",
      ])
    }
    write(table.text + Self.lacks(of: statuses), to: STDOUT_FILENO)
  }

  /// A table of what is lacking; empty if nothing is.
  private static func lacks(of statuses: [ServiceStatus]) -> String {
    var table = TextTable(["SERVICE", "LACKS", "SO THAT", "CURE"])
    for status in statuses {
      for lack in status.lacks { table.add([status.service.rawValue, lack.subject, lack.effect, lack.cure]) }
    }
    return statuses.allSatisfy(\.lacks.isEmpty) ? "" : "\n" + table.text
  }
}

extension SuiteService: ExpressibleByArgument {}

/// Formats rows in columns of the necessary width.
struct TextTable {
  private var rows: [[String]]

  init(_ header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
