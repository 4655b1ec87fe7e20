import ArgumentParser
import Glibc
import Postgres

/// `tandem load`.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Fill the services with reference data.", subcommands: [LoadDefaults.self])
}

/// `tandem load defaults`.
struct LoadDefaults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults", abstract: "Load all data that comes with the suite, and files of yours.",
    usage: """
      tandem load defaults
      tandem load defaults --from ~/data
      """,
    discussion: """
      What comes with the suite are its samples: gyms, exercises, curated workouts, books with invented ISBNs, ratings, and places of a \
      few cities. Real records are loaded from files that you have, by their names, from the folder of --from and those in it:

      goodbooks*books*.csv (records of books), goodbooks*ratings*.csv, ol_dump*.txt (records of Open Library), \
      *free-exercise-db*exercises*.json and *wger*exercises*.json, *gyms*.geojson, and GeoNames' cities*.txt, allCountries.txt or \
      XX.txt (places). The name of the source may be that of the folder, as in goodbooks-10k/books.csv. Loading again changes \
      nothing.

      It shows the progress of each load, and prints the seconds that it took, the rows of each kind, and what is \
      missing; `tandem status` tells the latter of a running suite. Exit status: 0 loaded, 1 a load failed, 2 wrong usage.
      """)

  @Option(help: ArgumentHelp("A folder with files to load.", valueName: "folder"))
  var from: String?

  @OptionGroup var place: HomeOption

  func run() async throws {
    let files = try from.map { try DataFile.found(in: $0) } ?? []
    var failures: [String] = []
    for service in SuiteService.withSamples {
      for database in try ServiceDatabases.named(service, place) {
        failures += try await load(files.filter { $0.service == service }, into: database)
        for line in try await LoadedData.of(service).lines(in: database) { write("\(line)\n", to: STDOUT_FILENO) }
      }
    }
    guard failures.isEmpty else { throw Complaint(failures.joined(separator: "\n")) }
  }

  /// Runs the service's own loads, samples first, as these are only for a database without other data.
  private func load(_ files: [DataFile], into database: ServiceDatabase) async throws -> [String] {
    var failures: [String] = []
    let samples = (what: "samples", arguments: ["load", "samples"])
    for load in [samples] + files.map({ (what: $0.path, arguments: $0.arguments) }) {
      let name = "\(database.service.rawValue): \(load.what)"
      write("\(name) …\n", to: STDOUT_FILENO)
      let start = ContinuousClock.now
      let end = try await ServiceProgram.show(load.arguments, on: database)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      write("\(name), \((seconds * 10).rounded() / 10) s\n", to: STDOUT_FILENO)
      // Samples are refused where there is other data, which is no failure here.
      let isRefused = load.what == samples.what && end == .exited(3)
      if end != .exited(0), !isRefused { failures.append("\(load.what): the load \(end)") }
    }
    return failures
  }
}

/// A file that is loaded by its name.
struct DataFile: Equatable {
  let service: SuiteService
  let path: String
  let arguments: [String]

  /// The file's load by its name; `nil` for a file of something else.
  init?(path: String) {
    let parts = path.split(separator: "/").map { $0.lowercased() }
    let name = parts.last ?? ""
    // Published files bear the name of their kind, in a folder with that of their source: `goodbooks-10k/books.csv`.
    let source = parts.suffix(2).joined(separator: "/")
    // A schema of records is none of them.
    if name.hasSuffix(".schema.json") { return nil }
    func has(_ parts: String..., ending: String) -> Bool { name.hasSuffix(ending) && parts.allSatisfy(name.contains) }
    func isFrom(_ publisher: String, _ kind: String, ending: String) -> Bool {
      source.contains(publisher) && has(ending: ending) && name.replacing(publisher, with: "").contains(kind)
    }
    let load: (SuiteService, [String])
    if isFrom("goodbooks", "ratings", ending: ".csv") {
      load = (.catalog, ["load", "ratings", path, "--format", "goodbooks"])
    } else if isFrom("goodbooks", "books", ending: ".csv") {
      load = (.catalog, ["load", "books", path, "--format", "goodbooks"])
    } else if has("ol_dump", ending: ".txt") {
      load = (.catalog, ["load", "books", path, "--format", "openlibrary"])
    } else if isFrom("free-exercise-db", "exercises", ending: ".json") {
      load = (.catalog, ["load", "exercises", path, "--format", "free-exercise-db"])
    } else if isFrom("wger", "exercises", ending: ".json") {
      load = (.catalog, ["load", "exercises", path, "--format", "wger"])
    } else if has("gyms", ending: ".geojson") {
      load = (.catalog, ["load", "gyms", path])
    } else if name == "allcountries.txt" || name.hasPrefix("cities") && name.hasSuffix(".txt") || Self.isCountry(name) {
      load = (.lending, ["load", "places", path])
    } else {
      return nil
    }
    (service, arguments) = load
    self.path = path
  }

  private static func isCountry(_ name: String) -> Bool {
    name.utf8.count == 6 && name.hasSuffix(".txt") && name.prefix(2).allSatisfy { $0.isASCII && $0.isLetter }
  }

  /// The paths of the files under a folder, as many folders deep; `nil` if it cannot be read.
  private static func paths(under folder: String, depth: Int) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      let path = "\(folder)/\(name)"
      paths += (depth > 1 ? self.paths(under: path, depth: depth - 1) : nil) ?? [path]
    }
    return paths
  }

  /// The files of a folder, and of the folders in it, in the order in which they are loaded: records before ratings of them.
  static func found(in folder: String) throws(Complaint) -> [DataFile] {
    guard let paths = paths(under: folder, depth: 2) else {
      throw Complaint(usage: "\(folder) is not a folder that can be read")
    }
    let found = paths.sorted().compactMap { DataFile(path: $0) }
    return found.filter { !$0.arguments.contains("ratings") } + found.filter { $0.arguments.contains("ratings") }
  }
}

/// The reference data of a service: for each kind its rows, and what does not work without any.
struct LoadedData {
  /// In the order of the statement's rows.
  let kinds: [(name: String, lack: String)]
  let count: @Sendable (Database) async throws -> [Int64]

  static func of(_ service: SuiteService) -> LoadedData {
    switch service {
    case .catalog:
      LoadedData(
        kinds: [
          ("gyms", "no gym can be found"), ("exercises", "workouts cannot be made"),
          ("curated workouts", "none can be copied"),
          ("records of real books", "every real ISBN is unknown; load a file by --from"),
          ("ratings", "recommendations know loans alone"),
        ], count: { try await $0.rows(CatalogData()) })
    case .lending:
      LoadedData(
        kinds: [("cities", "every address of a pickup is unknown; load a file by --from")],
        count: { try await $0.rows(LendingData()) })
    case .identity, .matching, .tracking, .importer: LoadedData(kinds: [], count: { _ in [] })
    }
  }

  /// A line for each kind.
  func lines(in database: ServiceDatabase) async throws -> [String] {
    let rows = try await database.asked { try await count($0) }
    return zip(kinds, rows).map { kind, rows in "\(kind.name): \(rows) rows\(rows == 0 ? "; \(kind.lack)" : "")" }
  }
}

private struct CatalogData: Statement {
  typealias Row = Int64
  static let sql = """
    select kind.rows from (
      values (1, (select count(*) from gyms)),
        (2, (select count(*) from exercises where merged_into is null)),
        (3, (select count(*) from workouts where owner_id is null)),
        (4, (select count(*) from editions where source <> 'samples')),
        (5, (select count(*) from reader_ratings))
    ) as kind (place, rows) order by kind.place
    """
}

private struct LendingData: Statement {
  typealias Row = Int64
  static let sql = "select count(*) from places where is_city"
}
