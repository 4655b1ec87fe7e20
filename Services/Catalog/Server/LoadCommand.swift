import ArgumentParser
import CatalogLoading

/// `catalog load`: fills the catalog from files ([CA-5]).
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Load reference data from a file.",
    subcommands: [
      LoadGymsCommand.self, LoadBooksCommand.self, LoadRatingsCommand.self, LoadExercisesCommand.self,
      LoadWorkoutsCommand.self, LoadSamplesCommand.self,
    ])
}

/// `catalog load books`.
struct LoadBooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "books",
    abstract: "Load bibliographic records, by which an ISBN fills title, authors, year and language.",
    usage: """
      catalog load books FILE --format goodbooks|openlibrary [--database-url=URL]
             zcat ol_dump_latest.txt.gz | catalog load books - --format openlibrary
      """,
    discussion: """
      A bad record is listed with its line and the reason, and skipped; the rest is loaded, in one transaction. Loading a file \
      again changes nothing. It is the database of catalog's own settings, whose schema `catalog migrate` has made.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: "What kind of file it is.")
  var format: BookFormat

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let outcome = try await FileLoad.run(file, words) { connection, display, next in
      try await BookLoader(format, report: display.report, progress: display.progress).load(over: connection, next)
    }
    print(outcome)
  }

  private func print(_ outcome: LoadOutcome) {
    let grouped = LoadProgress.grouped
    Swift.print(
      """
      \(grouped(outcome.records)) records: \(grouped(outcome.added)) editions added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.removed)) removed, \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.bad)) bad records \
      skipped
      """)
  }
}

extension BookFormat: ExpressibleByArgument {}
