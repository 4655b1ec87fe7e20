import ArgumentParser
import Glibc

/// `tandem up`.
struct UpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "up",
    abstract: "Start a database, the six services and the gateway, and keep them running until Ctrl-C.",
    usage: """
      tandem up
             tandem up --tour --demo
             tandem up --ephemeral --port-offset 100
             TANDEM_DATABASE_URL=postgresql://me:secret@db.example/tandem tandem up
      """,
    discussion: """
      Everything is made in .tandem and kept for the next time: a private PostgreSQL, passwords, a local certificate \
      authority, mail as .eml files. The services listen on loopback with TLS: RPC on ports 7401 to 7406, health and \
      metrics by HTTP on 7501 to 7506, PostgreSQL on 7400. The gateway answers HTTPS for every client on 7480, its health \
      is on 7580. The operators' console is on 7481, for those who have the link that is shown here; `tandem console` shows \
      another.

      Settings of the services in the environment (TANDEM_LOG_LEVEL, TANDEM_IDENTITY_MAIL, …) reach them; \
      `<service> config` lists them.

      Ctrl-C stops all in reverse order; a second one at once. Exit status: 0 stopped as asked, 1 it did not come up, \
      2 wrong usage.
      """)

  @OptionGroup var place: HomeOption

  @Flag(help: "Use a database and keys that are thrown away at the end.")
  var ephemeral = false

  @Option(help: ArgumentHelp("Add N to every port.", valueName: "n"))
  var portOffset = 0

  @Option(
    help: ArgumentHelp(
      "A database of your own, with a role that may create roles (TANDEM_DATABASE_URL).", valueName: "url"))
  var databaseURL: String?

  @Flag(help: "Walk through a tour of real calls once everything is ready.")
  var tour = false

  @Flag(help: "Have some people who are on their way, lend books, train and chat, from when everything is ready.")
  var demo = false

  @Flag(help: "Show what the services log while they start.")
  var verbose = false

  func validate() throws { try Ports.check(offset: portOffset) }

  func run() async throws {
    let home = Workspace.home(named: place.home)
    let plan = UpPlan(
      home: home, isEphemeral: ephemeral, ports: Ports(offset: portOffset),
      ownDatabase: try databaseURL.map { NamedDatabase(url: $0, source: "--database-url") }
        ?? Self.environmentDatabase(), showsTour: tour,
      isVerbose: verbose, hasConsole: true, hasDemo: demo)
    try await Suite.run(plan)
  }

  private static func environmentDatabase() throws -> NamedDatabase? {
    if let url = environment("TANDEM_DATABASE_URL") { return NamedDatabase(url: url, source: "TANDEM_DATABASE_URL") }
    guard let path = environment("TANDEM_DATABASE_URL_FILE") else { return nil }
    guard let text = Files.text(path) else {
      throw Complaint(usage: "\(path), which TANDEM_DATABASE_URL_FILE names, cannot be read")
    }
    return NamedDatabase(url: String(text.prefix { $0 != "\n" }), source: path)
  }
}

/// An existing database.
struct NamedDatabase: Sendable {
  var url: String
  /// The setting that names it.
  var source: String
}

/// The options of `tandem up`.
struct UpPlan: Sendable {
  var home: String
  var isEphemeral: Bool
  var ports: Ports
  /// An existing database; `nil` for a private one.
  var ownDatabase: NamedDatabase?
  var showsTour: Bool
  var isVerbose: Bool
  /// Whether the gateway has the operators' listener.
  var hasConsole = false
  /// Whether there is a demonstration, which nothing that people use has.
  var hasDemo = false
  /// The folder of what is thrown away; `nil` for a new one.
  var throwaway: String?
  /// A folder with a prepared database and its secrets, which are copied; `nil` to begin without.
  var template: Workspace?
  /// Distinguishes its roles where several suites share a server; `nil` where it has one.
  var name: String?
  /// Settings of the services beside those that every suite makes, by their variables.
  var settings: [String: String] = [:]
  /// Called once the database has its roles, and before the services start, with its administrator's URL.
  var whenProvisioned: (@Sendable (String) async throws -> Void)?
  /// Called once everything is ready, in place of what is told to a user; returns whether the suite goes on.
  var whenReady: (@Sendable (ReadySuite) async throws -> Bool)?
}

/// A suite that has become ready.
struct ReadySuite: Sendable {
  var state: RunningSuite
  var workspace: Workspace
  /// Of the suite's database, with its administrator's password.
  var databaseURL: String
}

/// The option for the folder of the suite.
struct HomeOption: ParsableArguments {
  @Option(help: ArgumentHelp("The suite's folder (TANDEM_HOME; default: .tandem).", valueName: "folder"))
  var home: String?
}
