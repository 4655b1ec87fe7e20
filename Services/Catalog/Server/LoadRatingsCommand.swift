import Environment
import ArgumentParser
import CatalogLoading

/// `catalog load ratings`.
struct LoadRatingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ratings",
    abstract: "Load how many readers liked books, from which recommendations are learnt, too.",
    usage: """
      catalog load ratings FILE [--format goodbooks] [--database-url=URL]
      """,
    discussion: """
      A file of comma-separated values whose first line names the columns user_id, book_id and rating, 1 to 5, such as \
      goodbooks-10k's ratings.csv. A book is known by the id that it has in the books' file of the same format; one that is not \
      loaded counts as soon as it is. A bad line is listed with the reason, and skipped; the rest is loaded, in one transaction. \
      Loading a file again changes nothing. The service makes its recommendations anew within seconds after the load. It is the \
      database of catalog's own settings, whose schema `catalog migrate` has made.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: "What kind of file it is.")
  var format = RatingFormat.goodbooks

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let outcome = try await FileLoad.run(file, words) { connection, display, next in
      try await RatingLoader(format, environment: .system, report: display.report, progress: display.progress)
        .load(over: connection, next)
    }
    print(Self.summary(of: outcome))
  }

  /// The outcome in one line.
  static func summary(of outcome: RatingLoader.Outcome) -> String {
    let grouped = LoadProgress.grouped
    return """
      \(grouped(outcome.records)) ratings: \(grouped(outcome.added)) added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.bad)) bad ones skipped; \
      \(grouped(outcome.ofUnknownBooks)) are of books that are not loaded
      """
  }
}

extension RatingFormat: ExpressibleByArgument {}
