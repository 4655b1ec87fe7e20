import Environment
import ArgumentParser
import CatalogLoading

/// `catalog load exercises`.
struct LoadExercisesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exercises",
    abstract: "Load exercises, of which those that several collections have are made one.",
    usage: """
      catalog load exercises FILE --format free-exercise-db|wger|tandem [--database-url=URL]
      """,
    discussion: """
      A file is a JSON array of exercises. A bad record is listed with the line where it begins and the reason, and skipped; \
      the rest is loaded, in one transaction. Loading a file again changes nothing, and the order of files makes no difference.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: "What kind of file it is.")
  var format: ExerciseFormat

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let outcome = try await FileLoad.run(file, words) { connection, display, next in
      try await ExerciseLoader(format, environment: .system, report: display.report, progress: display.progress)
        .load(over: connection, next)
    }
    let (grouped, file) = (LoadProgress.grouped, outcome.file)
    print(
      """
      \(grouped(file.records)) records: \(grouped(file.added)) added, \(grouped(file.changed)) changed, \
      \(grouped(file.unchanged)) as they were, \(grouped(file.bad)) bad records skipped; there are \
      \(grouped(outcome.exercises)) exercises now
      """)
  }
}

extension ExerciseFormat: ExpressibleByArgument {}
