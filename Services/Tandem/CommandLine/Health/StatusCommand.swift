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
      It shows the services of TANDEM_<SERVICE>_ADDRESS, with TANDEM_CA as their authority, as a compose stack has them \
      (`docker compose run --rm operator status`); else the suite that `tandem up` runs from .tandem. Of several replicas \
      behind a name one is asked. Facts come from TANDEM_<SERVICE>_ADMIN_ADDRESS, else the standard port of that host.

      With --service it asks that service alone; where it has TANDEM_<SERVICE>_ADMIN_LISTEN, or there is no other way, at \
      that port on this host, as a container's health check needs it.

      Below the services it lists what does not work for lack of data or of a setting, with the command or the setting \
      that mends it. A service that lacks something is serving all the same.

      Exit status: 0 every service that was asked is serving, 1 not, 2 wrong usage.
      """)

  @Option(help: ArgumentHelp("Ask one service.", valueName: "name"))
  var service: SuiteService?

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func run() async throws {
    let found = ReachableSuite.find(place)
    if let service, found.map({ isHere(service, $0) }) ?? true { return try await showAlone(service) }
    guard let suite = found else { throw ReachableSuite.missing }
    let statuses = try await Self.ask(suite, service.map { [$0] } ?? SuiteService.allCases)
    show(statuses)
    guard statuses.allSatisfy(\.isServing) else { throw ExitCode(1) }
  }

  /// Whether a service that is no part of a `tandem up` runs on this host, or in this container.
  private func isHere(_ service: SuiteService, _ suite: ReachableSuite) -> Bool {
    guard suite.running == nil else { return false }
    return Self.adminListen(of: service) != nil || suite.services[service] == nil
  }

  private static func adminListen(of service: SuiteService) -> String? {
    environment("TANDEM_\(service.rawValue.uppercased())_ADMIN_LISTEN") ?? environment("TANDEM_ADMIN_LISTEN")
  }

  /// The state of services of a suite.
  static func ask(_ suite: ReachableSuite, _ services: [SuiteService]) async throws -> [ServiceStatus] {
    var connection = ConnectionOptions.forSuite
    connection.ca = suite.authority
    let loops = LoopGroup(threads: 1)
    var statuses: [ServiceStatus] = []
    for service in services {
      guard let address = suite.services[service] else { continue }
      let target = try connection.target(at: address.rpc, suite.running)
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
    let port = Self.adminListen(of: service).map { Self.hostAndPort($0).1 } ?? service.standardAdminPort
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
