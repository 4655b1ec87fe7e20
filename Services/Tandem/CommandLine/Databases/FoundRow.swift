import Glibc
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
