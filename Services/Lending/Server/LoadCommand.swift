import ArgumentParser
import FileLoading
import LendingLoading
import LendingSamples
import LendingStore
import LoopExecutor
import Postgres
import ServiceRuntime

/// `lending load`: fills lending from files.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Load reference data from a file.",
    subcommands: [LoadPlacesCommand.self, LoadSamplesCommand.self])
}

/// `lending load places`.
struct LoadPlacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Load the places and postcodes by which addresses of pickups are checked.",
    usage: """
      lending load places FILE [--database-url=URL]
             unzip -p SG.zip SG.txt | lending load places -
      """,
    discussion: """
      The file is one of GeoNames' dumps of a country, or of all (https://download.geonames.org/export/dump): cities are what \
      addresses are in; streets, squares, buildings and quarters are what they name. Or it is one of its postcodes \
      (https://download.geonames.org/export/zip), which has the same name and other columns. A bad line is listed with the reason and \
      skipped; the rest is loaded, in one transaction. Loading a file again changes nothing. It is the database of lending's \
      own settings, whose schema `lending migrate` has made.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    do {
      let chunks = try FileChunks(path: file)
      let display = LoadDisplay(of: chunks.size)
      let loader = PlaceLoader(report: display.report, progress: display.progress)
      let outcome = try await PlaceLoad.run(words) { try await loader.load(over: $0) { try chunks.next() } }
      display.end()
      print(outcome)
    } catch let error as UnusableFile {
      throw StartupError(failure: "\(file) cannot be loaded: \(error.reason)")
    }
  }

  private func print(_ outcome: LoadOutcome) {
    let grouped = LoadProgress.grouped
    Swift.print(
      """
      \(grouped(outcome.records)) lines: \(grouped(outcome.added)) added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.passedOver)) passed over, \(grouped(outcome.bad)) bad \
      lines skipped
      """)
  }
}

/// `lending load samples`.
struct LoadSamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Load the small sample that comes with the program, to try it with.",
    usage: "lending load samples [--database-url=URL]",
    discussion: """
      Some cities with a few streets and buildings each, for a database without other places. Loading it again changes nothing. \
      `lending remove samples` removes it.

      Exit status: 0 loaded, 1 the database cannot be used, 2 wrong usage, 3 there are other places.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let isLoaded = try await PlaceLoad.run(words) { connection in
      let others = try await connection.run(PlaceSamples.hasOthers(LendingSamples.placeIDs))
      guard others.first?.first == "f" else { return false }
      var places = Optional(LendingSamples.places)
      _ = try await PlaceLoader(report: { _ in }).load(over: connection) { places.take() }
      return true
    }
    guard isLoaded else {
      throw StartupError(refusal: "there are other places: samples are for a database without; nothing was loaded")
    }
    print("the samples are there: places")
  }
}

/// `lending remove`.
struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove loaded data.", subcommands: [RemoveSamplesCommand.self])
}

/// `lending remove samples`.
struct RemoveSamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Remove the samples.",
    usage: "lending remove samples [--database-url=URL]",
    discussion: """
      Pickup locations that were agreed on stay as they are.

      Exit status: 0 removed, 1 the database cannot be used, 2 wrong usage.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let removed = try await PlaceLoad.run(words) { connection in
      try await connection.run(PlaceSamples.remove(LendingSamples.placeIDs)).first?.first ?? nil
    }
    print("removed \(removed ?? "0") places of the samples")
  }
}

/// Shared by all loads of places.
private enum PlaceLoad {
  /// Runs `load` with a connection to the configured database.
  static func run<Outcome: Sendable>(
    _ words: [String], _ load: (BulkConnection) async throws -> Outcome
  ) async throws -> Outcome {
    let url = try Lending.databaseSettings(words)[RuntimeSettings.databaseURL]
    let loops = LoopGroup(threads: 1)
    let outcome: Outcome
    do {
      let version = try await Migrator.version(url: url, schema: LendingSchema.name)
      guard version >= LendingSchema.migrations.count else {
        throw StartupError(failure: "the schema is at version \(version): run `lending migrate` first")
      }
      let configuration = DatabaseConfiguration(
        url: url, applicationName: "lending load", schema: LendingSchema.name)
      outcome = try await BulkConnection.with(configuration, on: loops.executors[0], load)
    } catch let error as PostgresError {
      throw StartupError(failure: "the database refused: \(error); nothing was loaded")
    }
    try await loops.shutdown()
    return outcome
  }
}
