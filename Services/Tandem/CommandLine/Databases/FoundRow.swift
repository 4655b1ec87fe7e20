import Glibc
import Reflection

/// A row of a service's database, for output.
protocol FoundRow: Sendable {
  associatedtype Record: Sendable

  init(service: SuiteService, record: Record)

  /// The header of the table.
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

  /// Unknown values are null, so that all objects have the same members.
  static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Unknown values are a dash.
  static func shown(_ text: String?) -> String { text.map(line) ?? "-" }

  /// The text as one line, without characters that affect a terminal: stored text is not trusted.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map(harmless)))
  }

  /// Control characters, including line breaks, and bidirectional controls become spaces.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value): " "
    default: scalar
    }
  }
}
