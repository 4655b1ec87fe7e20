/// Swift's names for those of SQL.
enum SwiftNames {
  private static let acronyms = ["id": "ID", "ids": "IDs", "url": "URL", "uri": "URI", "isbn": "ISBN", "ip": "IP"]
  private static let keywords: Set = ["in", "is", "as", "for", "where", "repeat", "case", "default", "self", "return"]

  /// `loan_id` as `loanID`.
  static func property(_ name: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    let first = words.first ?? ""
    return first + words.dropFirst().map { acronyms[$0] ?? $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The same where it may stand alone in an expression or a declaration.
  static func quoted(_ property: String) -> String { keywords.contains(property) ? "`\(property)`" : property }

  /// `book` for `StoredBook` and `BookColumns`.
  static func field(ofType type: String) -> String {
    var name = type[...]
    for prefix in ["Stored"] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
    for suffix in ["Columns"] where name.hasSuffix(suffix) { name = name.dropLast(suffix.count) }
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// Swift's types for those of PostgreSQL.
struct SwiftTypes {
  /// Types by `table.column` and by `*.name`.
  private var byColumn: [String: String] = [:]

  init(_ manifest: Manifest) {
    for (type, columns) in manifest.types ?? [:] {
      for column in columns { byColumn[column] = type }
    }
  }

  private static let scalars: [UInt32: String] = [
    16: "Bool", 20: "Int64", 21: "Int16", 23: "Int32", 700: "Float", 701: "Double", 1082: "CivilDate",
    1184: "Instant", 2950: "UUID7", 17: "[UInt8]",
  ]
  /// Arrays that PostgreSQL has from the start, by their elements.
  private static let arrays: [UInt32: UInt32] = [
    1000: 16, 1016: 20, 1005: 21, 1007: 23, 1021: 700, 1022: 701, 1182: 1082, 1185: 1184, 2951: 2950, 1001: 17,
    1009: 25, 1015: 1043,
  ]
  /// Types whose binary form is not their text, and which no type here reads.
  private static let unreadable: [UInt32: String] = [
    1700: "numeric", 1114: "timestamp", 1083: "time", 1186: "interval", 26: "oid", 869: "inet", 650: "cidr",
    1266: "timetz",
  ]

  /// The type of a parameter.
  func parameter(_ name: String, _ remark: Remark?, _ type: UInt32) throws -> String {
    try self.type(named: [name], nil, remark, type, isRead: false)
  }

  /// The type of a column.
  func column(_ name: String, _ origin: Scratch.Origin?, _ remark: Remark?, _ type: UInt32) throws -> String {
    try self.type(
      named: [name] + (origin.map { [$0.name] } ?? []), origin.map { "\($0.table).\($0.name)" }, remark, type,
      isRead: true)
  }

  private func type(
    named names: [String], _ column: String?, _ remark: Remark?, _ id: UInt32, isRead: Bool
  ) throws -> String {
    if let type = remark?.type { return type }
    let element = Self.arrays[id]
    if let column, let type = byColumn[column] { return element == nil ? type : "[\(type)]" }
    for name in names {
      if let type = byColumn["*.\(name)"] { return element == nil || type.hasPrefix("[") ? type : "[\(type)]" }
      if element != nil, name.hasSuffix("s"), let type = byColumn["*.\(name.dropLast())"] { return "[\(type)]" }
    }
    if isRead, let unreadable = Self.unreadable[id] {
      throw GeneratorError(place: names[0], reason: "is \(unreadable): cast it to a type that Swift has")
    }
    if let element { return "[\(Self.scalars[element] ?? "String")]" }
    return Self.scalars[id] ?? "String"
  }
}
