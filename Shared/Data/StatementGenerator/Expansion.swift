/// Puts fragments and lists of columns in the place of `{{name}}`, `{{name(argument, …)}}` and `{{Columns as field}}`.
struct Expansion {
  let fragments: [String: Fragment]
  let columns: [String: ColumnList]

  /// A list of columns that a query uses, and the name of the value in the query's row.
  struct Use {
    let list: ColumnList
    let field: String
  }

  /// A query's text in two forms.
  struct Expanded {
    /// What is sent in production.
    let sent: String
    /// The same, with every line where it is in the file, and columns of lists named so that they are found in the result.
    let described: String
    let uses: [Use]
  }

  /// The prefix of a column of the list that is used as number `use`.
  static func marker(_ use: Int) -> String { "§\(use)." }

  func expand(_ body: SQLBody, _ place: String) throws -> Expanded {
    var uses: [Use] = []
    let described = try replace(body.text, place, inOneLine: true) { list, field in
      uses.append(Use(list: list, field: field))
      return list.items.map { "\($0.expression) as \"\(Self.marker(uses.count - 1))\($0.name)\"" }
        .joined(separator: ", ")
    }
    let sent = try replace(SQLText.withoutComments(body.text), place, inOneLine: false) { list, _ in list.text }
    return Expanded(sent: Self.withoutSuffixes(sent), described: described, uses: uses)
  }

  /// - Parameter inOneLine: whether fragments are put in without their line breaks, so that errors are told with the lines of the
  ///   query's file.
  private func replace(
    _ text: String, _ place: String, inOneLine: Bool, depth: Int = 0,
    _ columnText: (ColumnList, String) throws -> String
  ) throws -> String {
    guard depth < 8 else { throw GeneratorError(place: place, reason: "fragments contain one another") }
    var (result, rest) = ("", text[...])
    while let start = rest.range(of: "{{") {
      result += rest[..<start.lowerBound]
      let inside = rest[start.upperBound...]
      guard let end = closing(inside) else { throw GeneratorError(place: place, reason: "`{{` without `}}`") }
      let call = inside[..<end].trimmed
      rest = inside[inside.index(end, offsetBy: 2)...]
      result += try replacement(call, place, inOneLine, depth, columnText)
    }
    return result + rest
  }

  private func closing(_ text: Substring) -> String.Index? {
    var (place, depth) = (text.startIndex, 0)
    while place < text.endIndex {
      if text[place...].hasPrefix("{{") { depth += 1 }
      if text[place...].hasPrefix("}}") {
        if depth == 0 { return place }
        depth -= 1
        place = text.index(after: place)
      }
      place = text.index(after: place)
    }
    return nil
  }

  private func replacement(
    _ call: String, _ place: String, _ inOneLine: Bool, _ depth: Int,
    _ columnText: (ColumnList, String) throws -> String
  ) throws -> String {
    let words = call.split(separator: " ").map(String.init)
    if let list = columns[words[0]] {
      let field = words.count == 3 && words[1] == "as" ? words[2] : SwiftNames.field(ofType: list.value)
      return try replace(columnText(list, field), place, inOneLine: inOneLine, depth: depth + 1, columnText)
    }
    let name = String(call.prefix { $0 != "(" })
    guard let fragment = fragments[name] else {
      throw GeneratorError(place: place, reason: "there is no fragment or list of columns `\(name)`")
    }
    let arguments = name == call ? [] : SQLText.items(String(call.dropFirst(name.count + 1).dropLast()))
    guard arguments.count == fragment.parameters.count else {
      throw GeneratorError(
        place: place, reason: "\(name) takes \(fragment.parameters.count) arguments, not \(arguments.count)")
    }
    var text = SQLText.withoutComments(fragment.body.text)
    if inOneLine { text = text.split(separator: "\n").map(\.trimmed).joined(separator: " ") }
    for (parameter, argument) in zip(fragment.parameters, arguments) {
      text = text.replacing("{{\(parameter)}}", with: argument)
    }
    return try replace(text, place, inOneLine: inOneLine, depth: depth + 1, columnText)
  }

  /// `as "score!"` as `as score`.
  private static func withoutSuffixes(_ text: String) -> String {
    SQLText.segments(text).map { segment in
      guard segment.kind == .quoted, segment.text.hasPrefix("\""), segment.text.hasSuffix("!\"") else {
        return String(segment.text)
      }
      return String(segment.text.dropFirst().dropLast(2))
    }.joined()
  }
}

extension ColumnList {
  struct Item {
    /// What is selected, without a name.
    let expression: String
    /// The name of the column; it ends with `!` where the author knows that it is never null.
    let name: String
  }

  /// The columns as they are sent, with the line breaks of the file.
  var text: String { SQLText.withoutComments(body.text) }

  /// The columns of the list.
  var items: [Item] {
    SQLText.items(SQLText.withoutComments(body.text)).map { text in
      let text = text.split(separator: "\n").map { $0.trimmed }.joined(separator: " ")
      if let range = text[...].lastRange(of: " as ") {
        let name = text[range.upperBound...].filter { $0 != "\"" }
        if name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "!" }) {
          return Item(expression: String(text[..<range.lowerBound]), name: name)
        }
      }
      return Item(expression: text, name: String(text.split(separator: ".").last ?? ""))
    }
  }
}

extension Substring {
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    var (found, rest) = (Range<String.Index>?.none, self)
    while let range = rest.range(of: text) {
      found = range
      rest = rest[range.upperBound...]
    }
    return found
  }
}
