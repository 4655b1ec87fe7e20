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
      "Register someone, log in, lend a book, train and find a gym by real calls, each shown with its answer.",
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
    let targets = try [SuiteService.identity, .catalog, .lending, .matching].map { service in
      guard let address = suite.services[service]?.rpc else { throw Complaint("the suite has no \(service.rawValue)") }
      return try connection.target(at: address, suite)
    }
    try await ReflectingClient.with(targets[0]) { identity in
      try await ReflectingClient.with(targets[1]) { catalog in
        try await ReflectingClient.with(targets[2]) { lending in
          try await ReflectingClient.with(targets[3]) { matching in
            try await Tour(
              client: identity, catalog: catalog, lending: lending, matching: matching, mail: suite.mail,
              palette: Palette(for: STDOUT_FILENO)
            ).walk()
          }
        }
      }
    }
  }
}
