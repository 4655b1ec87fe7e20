import ArgumentParser
import Glibc
import Identifiers
import Postgres
import Reflection

/// A row of a service's database, as it is shown.
protocol FoundRow: Sendable {
  associatedtype Record: Sendable

  init(service: SuiteService, record: Record)

  /// The table's head.
  static var columns: [String] { get }
  /// A line of the table.
  var cells: [String] { get }
  /// A member of the array.
  var json: JSONValue { get }
}

extension FoundRow {
  /// Writes a table, or an array.
  static func show(_ rows: [Self], _ form: OutputForm) {
    if form == .json { return write(JSONValue.array(rows.map(\.json)).text() + "\n", to: STDOUT_FILENO) }
    if rows.isEmpty { return tell("there are none") }
    var table = TextTable(columns)
    for row in rows { table.add(row.cells) }
    write(table.text, to: STDOUT_FILENO)
  }

  /// What is not known is null, so that every object has the same members.
  static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// What is not known is a dash.
  static func shown(_ text: String?) -> String { text.map(line) ?? "-" }

  /// The text in one line, without anything that acts on a terminal: what is stored comes from anywhere.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map(harmless)))
  }

  /// Controls, line ends among them, and marks that turn the direction of what follows become spaces.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value): " "
    default: scalar
    }
  }
}

/// How much of which databases is listed, and how.
struct ListOptions: ParsableArguments {
  @Option(help: ArgumentHelp("At most so many of each service, 1 to 10000.", valueName: "number"))
  var limit = 100

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 10000") }
  }

  /// Lists what a statement finds in each database.
  ///
  /// - Parameter statement: finds so many rows.
  func show<Row: FoundRow, S: Statement>(
    _ type: Row.Type, _ statement: (_ limit: Int) -> S
  ) async throws where S.Row == Row.Record {
    var found: [Row] = []
    for database in try ServiceDatabases.named(place) {
      // One more than is shown tells that there are more.
      let records = try await database.rows(statement(limit + 1))
      if records.count > limit {
        tell("tandem: \(database.service.rawValue) has more than \(limit); --limit shows more")
      }
      found += records.prefix(limit).map { Row(service: database.service, record: $0) }
    }
    Row.show(found, form.output)
  }
}

/// Reads an id on the command line.
///
/// - Parameter owner: whose id it is, for the complaint about one that is none.
func uuidArgument(of owner: String) -> @Sendable (String) throws -> UUID7 {
  { text in
    guard let id = UUID7(text) else { throw ValidationError("\(text) is no \(owner)'s id: ids are UUIDs") }
    return id
  }
}
