import Environment
import ArgumentParser
import CatalogLoading
import CatalogSamples

/// `catalog load samples`.
struct LoadSamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Load the small samples that come with the program, to try it with.",
    usage: "catalog load samples [--database-url=URL]",
    discussion: """
      They are of our own making: gyms that nobody will find, exercises, workouts of them, and well-known books with readers who
      might have liked them. Loading them again changes nothing.

      Exit status: 0 loaded, 1 the database cannot be used, 2 wrong usage.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    try await FileLoad.run(words) { connection in
      var books = Optional(CatalogSamples.books)
      _ = try await BookLoader(.goodbooks, report: { _ in }).load(over: connection) { books.take() }
      var ratings = Optional(CatalogSamples.ratings)
      _ = try await RatingLoader(.goodbooks, environment: .system, report: { _ in })
        .load(over: connection) { ratings.take() }
      var exercises = Optional(CatalogSamples.exercises)
      _ = try await ExerciseLoader(.tandem, environment: .system, report: { _ in })
        .load(over: connection) { exercises.take() }
      var workouts = Optional(CatalogSamples.workouts)
      _ = try await CuratedLoader(environment: .system, report: { _ in }).load(over: connection) { workouts.take() }
      var gyms = Optional(CatalogSamples.gyms)
      _ = try await GymLoader(.osmGeoJSON, defaultZone: nil, environment: .system, report: { _ in })
        .load(over: connection) { gyms.take() }
    }
    print("the samples are there: gyms, books, ratings, exercises, workouts")
  }
}
