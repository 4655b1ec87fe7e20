import ArgumentParser
import ServiceRuntime

/// `catalog load samples`.
struct LoadSamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Load the small samples that come with the program, to try it with.",
    usage: "catalog load samples [--database-url=URL]",
    discussion: """
      They are of our own making: gyms, books with invented ISBNs, their readers' ratings, exercises, and workouts of them. They are \
      loaded into a catalog in which nothing else was loaded. Loading them again changes nothing. `catalog remove samples` removes \
      them.

      Exit status: 0 loaded, 1 the database cannot be used, 2 wrong usage, 3 the catalog has other data.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    do {
      try await FileLoad.run(words) { try await SampleCatalog(connection: $0).load() }
    } catch is SampleCatalog.NotEmpty {
      throw StartupError(refusal: "the catalog has other data: samples are for an empty one; nothing was loaded")
    }
    print("the samples are there: gyms, books, ratings, exercises, workouts")
  }
}

/// `catalog remove`.
struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove loaded data.", subcommands: [RemoveSamplesCommand.self])
}

/// `catalog remove samples`.
struct RemoveSamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Remove the samples, with their ratings.",
    usage: "catalog remove samples [--database-url=URL]",
    discussion: """
      Gyms, books, ratings and curated workouts go. The exercises stay: they are a collection of their own, and workouts and logs \
      refer to them.

      Exit status: 0 removed, 1 the database cannot be used, 2 wrong usage.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let removed = try await FileLoad.run(words) { try await SampleCatalog(connection: $0).remove() }
    print(
      """
      removed \(removed.gyms) gyms, \(removed.books) books, \(removed.ratings) ratings and \(removed.workouts) workouts of the \
      samples; exercises stay
      """)
  }
}
