import Environment
import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem tour`.
struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract:
      "Register someone, log in, be followed home, lend a book, train, import a run and find a gym by real calls, each shown with its answer.",
    usage: """
      tandem tour
      tandem tour --home /srv/tandem/.tandem
      """,
    discussion: """
      Works on the suite that `tandem up` runs, because it reads the mailed link from the suite's mail folder. The people \
      stay registered.

      Exit status: 0 all went well, 1 something did not, 2 wrong usage.
      """)

  @OptionGroup var place: HomeOption

  func run() async throws {
    let workspace = Workspace(home: Workspace.nearestHome(named: place.home))
    guard let suite = RunningSuite.find(in: workspace) else {
      throw Complaint("no suite is up here; `tandem up` starts one, --home names another folder")
    }
    var connection = ConnectionOptions.forSuite
    connection.ca = suite.authority
    let targets = try suite.services.map { service, ports in
      (service: service, target: try connection.target(at: ports.rpc, suite))
    }
    try await Self.withClients(of: targets[...]) { clients in
      try await Tour(clients: clients, mail: suite.mail, palette: Palette(for: STDOUT_FILENO)).walk()
    }
  }

  /// Calls `body` with a client of each target, and with those of `opened`.
  private static func withClients(
    of targets: ArraySlice<(service: SuiteService, target: Target)>, _ opened: [SuiteService: ReflectingClient] = [:],
    _ body: @escaping @Sendable ([SuiteService: ReflectingClient]) async throws -> Void
  ) async throws {
    guard let (service, target) = targets.first else { return try await body(opened) }
    let others = targets.dropFirst()
    try await ReflectingClient.with(target) { client in
      try await withClients(of: others, opened.merging([service: client]) { $1 }, body)
    }
  }
}
