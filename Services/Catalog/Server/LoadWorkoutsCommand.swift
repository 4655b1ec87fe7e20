import Environment
import ArgumentParser
import CatalogLoading

/// `catalog load workouts`.
struct LoadWorkoutsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts",
    abstract: "Load curated workouts, whose exercises were loaded before.",
    usage: "catalog load workouts FILE [--database-url=URL]",
    discussion: """
      A file is a JSON array of workouts as in Services/Catalog/Samples/workouts.json. An entry names its exercise by \
      collection and id: wger:73; by the id alone if it was loaded with --format tandem: back-squat. A bad record is listed with the line where it begins and the reason, and \
      skipped; the rest is loaded, in one transaction. Loading a file again changes nothing.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let outcome = try await FileLoad.run(file, words) { connection, display, next in
      try await CuratedLoader(environment: .system, report: display.report).load(over: connection, next)
    }
    let grouped = LoadProgress.grouped
    print(
      """
      \(grouped(outcome.records)) records: \(grouped(outcome.added)) workouts added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.bad)) bad records skipped
      """)
  }
}
