/// Writes the Swift of a folder's queries.
struct SwiftWriter {
  let folder: Folder

  private func access(isPublic: Bool) -> String {
    if isPublic { return "public " }
    return folder.manifest.access.map { "\($0) " } ?? ""
  }

  /// What begins every file.
  func head(_ source: String, imports: [String]) -> String {
    "// Made from \(source) by Shared/Data/generate-statements. Not edited: `make sql` makes it again.\n\n"
      + (imports + ["Postgres"]).sorted().map { "import \($0)\n" }.joined()
  }

  func statement(_ described: DescribedQuery) -> String {
    let query = described.query
    let access = access(isPublic: query.isPublic)
    let text = described.sql.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    let raw = described.sql.contains("\\") ? "#" : ""
    let kind = query.cardinality == .one ? "SingleRowStatement" : "Statement"
    var lines = query.comments.lines.map { "/// \($0)".trimmed }
    lines += ["\(access)struct \(query.name): \(kind) {"]
    lines += rowType(described, access)
    if query.isSlow { lines.append("  \(access)static let pace = Pace.slow") }
    lines += ["  \(access)static let sql = \(raw)\"\"\""] + text + ["    \"\"\"\(raw)"]
    lines += properties(described.parameters, access)
    lines += [""] + initializer(described.parameters, access)
    if !described.parameters.isEmpty {
      lines += ["", "  \(access)func bind(_ p: inout Parameters) {"]
      lines += described.parameters.map { "    p.append(\(SwiftNames.quoted($0.name)))" } + ["  }"]
    }
    lines += decoding(described, access)
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The value of a list of columns.
  func columns(_ list: ColumnList, _ fields: [DescribedQuery.Field]) -> String {
    let access = access(isPublic: list.isPublic)
    let kinds = (["Sendable"] + list.conformances + (list.type == nil ? ["RowDecodable"] : [])).joined(separator: ", ")
    var lines = list.comments.lines.map { "/// \($0)".trimmed } + ["\(access)struct \(list.name): \(kinds) {"]
    lines += properties(fields, access)
    if list.type == nil { lines += [""] + initializer(fields, access) }
    lines += ["", "  \(access)static func decode(_ row: borrowing RowReader) throws(ColumnError) -> \(list.name) {"]
    lines += Self.call(list.name, fields.map { "\($0.name): try row.next()" }, indent: 4, end: "") + ["  }", "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func properties(_ fields: [DescribedQuery.Field], _ access: String) -> [String] {
    fields.flatMap { field in
      (field.comment?.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + "/// \($0)".trimmed } ?? [])
        + ["  \(access)let \(SwiftNames.quoted(field.name)): \(field.type)"]
    }
  }

  private func initializer(_ fields: [DescribedQuery.Field], _ access: String) -> [String] {
    if fields.isEmpty { return ["  \(access)init() {}"] }
    return Self.call("\(access)init", fields.map { "\($0.name): \($0.type)" }, indent: 2, end: " {")
      + fields.map { "    self.\($0.name) = \(SwiftNames.quoted($0.name))" } + ["  }"]
  }

  /// `name(one, two)` in one line, or in as many as keep it legible.
  private static func call(_ name: String, _ arguments: [String], indent: Int, end: String) -> [String] {
    let space = String(repeating: " ", count: indent)
    let line = "\(space)\(name)(\(arguments.joined(separator: ", ")))\(end)"
    if line.count <= 120 { return [line] }
    var lines = ["\(space)\(name)("]
    var current = ""
    for (place, argument) in arguments.enumerated() {
      let text = place == arguments.count - 1 ? "\(argument))\(end)" : "\(argument),"
      if !current.isEmpty, indent + 3 + current.count + text.count > 120 {
        lines.append("\(space)  \(current)")
        current = ""
      }
      current += current.isEmpty ? text : " \(text)"
    }
    return lines + ["\(space)  \(current)"]
  }

  private func rowType(_ described: DescribedQuery, _ access: String) -> [String] {
    if described.row.isEmpty { return ["  \(access)typealias Row = Void"] }
    if described.row.count == 1 { return ["  \(access)typealias Row = \(Self.field(described.row[0]).type)"] }
    return ["  \(access)struct Row: Sendable {"]
      + properties(described.row.map(Self.field), access).map { "  \($0)" } + ["  }", ""]
  }

  private static func field(_ part: DescribedQuery.Part) -> DescribedQuery.Field {
    switch part {
    case .column(let field): field
    case .list(let list, let name): DescribedQuery.Field(name: name, type: list.value, comment: nil)
    }
  }

  private static func value(_ part: DescribedQuery.Part) -> String {
    guard case .list(let list, _) = part else { return "try row.next()" }
    return list.type.map { "try \($0)(\(list.name).decode(row))" } ?? "try \(list.name).decode(row)"
  }

  private func decoding(_ described: DescribedQuery, _ access: String) -> [String] {
    if described.row.isEmpty { return [] }
    let head = "  \(access)static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {"
    if described.row.count == 1 {
      return ["", head, "    \(Self.value(described.row[0]))", "  }"]
    }
    let values = described.row.map { "\(Self.field($0).name): \(Self.value($0))" }
    return ["", head] + Self.call("Row", values, indent: 4, end: "") + ["  }"]
  }

  /// The lists of all statements and migrations, as an extension of the schema's enum.
  func lists(_ queries: [String], libraries: [Folder]) -> String {
    let isLibrary = folder.manifest.schema == nil
    let access = access(isPublic: isLibrary)
    var lines = ["extension \(folder.manifest.name) {"]
    lines += migrations(access, libraries)
    if !queries.isEmpty {
      if lines.count > 1 { lines.append("") }
      lines += ["  /// Every statement, so that a test can prepare them all on the migrated schema."]
      let used = libraries.filter { folder in folder.items.contains { !$0.queries.isEmpty } }
      if used.isEmpty {
        lines += ["  \(access)static let statements: [any Statement.Type] = ["]
        lines += queries.map { "    \($0).self," } + ["  ]"]
      } else {
        lines += ["  \(access)static let statements: [any Statement.Type] = Array(", "    ["]
        lines +=
          (["own"] + used.map { "\($0.manifest.name).statements" }).map { "      \($0)," } + ["    ].joined())", ""]
        lines += ["  private static let own: [any Statement.Type] = ["]
        lines += queries.map { "    \($0).self," } + ["  ]"]
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func migrations(_ access: String, _ libraries: [Folder]) -> [String] {
    var lines: [String] = []
    if folder.manifest.schema == nil {
      for name in folder.manifest.migrations {
        guard let file = folder.migrations[name] else { continue }
        lines += ["  /// `\(file.file)`, as a schema's migration number `version`."]
        lines += ["  \(access)static func \(SwiftNames.property(name))(version: Int) -> Migration {"]
        lines += ["    \(migration("version", name, file))", "  }", ""]
      }
      if lines.last == "" { lines.removeLast() }
      return lines
    }
    lines += ["  /// In order; a migration that was released is never edited."]
    lines += ["  \(access)static let migrations: [Migration] = ["]
    for (place, name) in folder.manifest.migrations.enumerated() {
      let parts = name.split(separator: "/").map(String.init)
      if parts.count == 2, let library = libraries.first(where: { $0.library == parts[0] }) {
        lines += ["    \(library.manifest.name).\(SwiftNames.property(parts[1]))(version: \(place + 1)),"]
      } else if let file = folder.migrations[name] {
        lines += ["    \(migration("\(place + 1)", name, file)),"]
      }
    }
    return lines + ["  ]"]
  }

  /// The build makes a constant of each file of `Migrations`.
  private func migration(_ version: String, _ name: String, _ file: MigrationFile) -> String {
    let constant = file.file.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    return "Migration(version: \(version), name: \"\(name)\", bytes: PackageResources.\(constant))"
  }
}
