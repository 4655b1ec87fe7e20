import Environment
import ArgumentParser
import CatalogLoading
import ServiceRuntime

/// `catalog load gyms`.
struct LoadGymsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyms", abstract: "Load gyms: where they are, what they are called, when they are open.",
    usage: """
      catalog load gyms FILE [--format osm-geojson] [--time-zone Asia/Singapore] [--field KEY=PROPERTY …]
                          [--database-url=URL]
             osmium export --format geojson gyms.osm.pbf | catalog load gyms -
      """,
    discussion: """
      The file is a GeoJSON FeatureCollection in UTF-8 whose features have OpenStreetMap's tags. Features that are no gyms are \
      passed over; a bad one is listed with its line and the reason, and skipped; the rest is loaded, in one transaction. Loading \
      a file again changes nothing: a gym is known by the feature's id. It is the database of catalog's own settings, whose \
      schema `catalog migrate` has made.

      A file with other properties is read with --field, once for each key: --field name=Name --field postcode=ADDRESSPOSTALCODE. Keys \
      are id, name, street, house-number, postcode, city, country, phone, website, opening-hours, capacity, radius (of the \
      building around its point, in metres, where there is no outline) and time-zone. A property \
      that is called as the tag of such a key is not read for it then. A gym without an id is known by its place and name.

      Opening hours are those of a zone. It is that of a feature's tag `timezone`, or else that of --time-zone; without either it \
      is not known whether the gym is open.

      Exit status: 0 loaded, 1 the file or the database cannot be used, or none of its gyms, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: "What kind of file it is.")
  var format = GymFormat.osmGeoJSON

  @Option(help: ArgumentHelp("The zone of gyms whose features name none, by its IANA name.", valueName: "zone"))
  var timeZone: String?

  @Option(help: ArgumentHelp("A property that has a gym's name, for example.", valueName: "key=property"))
  var field: [NamedGymField] = []

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func validate() throws {
    var seen: Set<GymFieldNames.Field> = []
    let repeated = field.first { !seen.insert($0.field).inserted }
    if let repeated { throw ValidationError("--field names a property for \(repeated.field.rawValue) twice") }
  }

  func run() async throws {
    do {
      let outcome = try await FileLoad.run(file, words) { connection, display, next in
        try await GymLoader(
          format, defaultZone: timeZone, names: GymFieldNames(field.map { ($0.field, $0.property) }),
          environment: .system, report: display.report, progress: display.progress
        ).load(over: connection, next)
      }
      print(Self.summary(of: outcome))
      if let failure = Self.failure(of: outcome, file) { throw failure }
    } catch let unknown as UnknownZone {
      throw StartupError(usage: "there is no time zone \(unknown.name); a name is like Europe/Berlin")
    }
  }

  /// Why a file from which nothing was loaded is a failure; `nil` for one with gyms, and for one that has no features at all.
  static func failure(of outcome: LoadOutcome, _ file: String) -> StartupError? {
    guard outcome.records > 0, outcome.added + outcome.changed + outcome.unchanged == 0 else { return nil }
    return StartupError(
      failure: """
        no gym of \(file) was loaded: of \(LoadProgress.grouped(outcome.records)) features \(LoadProgress.grouped(outcome.bad)) are \
        bad, and \(LoadProgress.grouped(outcome.passedOver)) are not tagged as gyms; a file with other properties than OpenStreetMap's \
        tags is read with --field, for example --field name=NAME --field postcode=POSTCODE
        """)
  }

  /// The outcome in one line.
  static func summary(of outcome: LoadOutcome) -> String {
    let grouped = LoadProgress.grouped
    return """
      \(grouped(outcome.records)) records: \(grouped(outcome.added)) gyms added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.passedOver)) of something else passed over, \
      \(grouped(outcome.bad)) bad records skipped
      """
  }
}

extension GymFormat: ExpressibleByArgument {}

/// `postcode=ADDRESSPOSTALCODE`.
struct NamedGymField: ExpressibleByArgument {
  let field: GymFieldNames.Field
  let property: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let field = GymFieldNames.Field(rawValue: String(parts[0])) else { return nil }
    (self.field, property) = (field, String(parts[1]))
  }
}
