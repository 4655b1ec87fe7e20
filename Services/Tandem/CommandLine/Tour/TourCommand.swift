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
      Works on the services of TANDEM_<SERVICE>_ADDRESS, with TANDEM_CA as their authority, as a compose stack has them \
      (`docker compose run --rm operator tour`); else on the suite that `tandem up` runs from .tandem. It reads the mailed \
      link from the folder to which mail goes, TANDEM_MAIL_FOLDER or the suite's. The people stay registered.

      Exit status: 0 all went well, 1 something did not, 2 wrong usage.
      """)

  @OptionGroup var place: HomeOption

  func run() async throws {
    guard let suite = ReachableSuite.find(place) else { throw ReachableSuite.missing }
    guard let mail = suite.mail else {
      throw Complaint("the tour follows a mailed link: name the folder to which mail is written in TANDEM_MAIL_FOLDER")
    }
    try await Self.with(suite, mail: mail) { try await $0.walk() }
  }

  /// Calls `body` with the services of a suite.
  static func with(
    _ suite: ReachableSuite, mail: String, _ body: @escaping @Sendable (Tour) async throws -> Void
  ) async throws {
    var connection = ConnectionOptions.forSuite
    connection.ca = suite.authority
    let targets = try suite.services.map { service, ports in
      (service: service, target: try connection.target(at: ports.rpc, suite.running))
    }
    try await withClients(of: targets[...]) { clients in
      try await body(Tour(clients: clients, mail: mail, palette: Palette(for: STDOUT_FILENO)))
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
